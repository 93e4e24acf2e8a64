import * as z from "zod";
import { allows, type Statement } from "./rights.ts";
import type { Made, MadeStage } from "./template.ts";

const Texts = z.union([z.string(), z.array(z.string())]);

/** A statement as far as the rehearsal knows statements: whatever else one says, such as `NotAction`, ends it. */
const Written = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(["Allow", "Deny"]),
  Action: Texts,
  Resource: Texts.default("*"),
  Condition: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  Principal: z.union([z.literal("*"), z.record(z.string(), Texts)]).optional(),
});
type Written = z.output<typeof Written>;

const Document = z.object({ Statement: z.array(Written) });

const statements = (document: unknown): readonly Written[] => Document.parse(document).Statement;

/** Types of resources that have policies of their own. */
const RESOURCE_POLICIES = ["AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy", "AWS::SNS::TopicPolicy"];

const ANYBODY = "*";

/** Whether a statement of a resource's policy speaks of a role. */
const speaksOf = ({ Principal }: Written, roleArn: string): boolean => {
  if (Principal === undefined || Principal === ANYBODY) return true;
  const named = Principal.AWS ?? [];
  return [named].flat().some((one) => one === ANYBODY || one === roleArn);
};

/** What the policies of the templates say of a caller, by the name of a role or of a function that has one: those of the role, and those of resources. */
export const rightsOf = (stage: MadeStage): ((caller: string) => readonly Statement[]) => {
  // What is too long for a role's own policy stands in one beside it.
  const policies = ["AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"].flatMap((type) => stage.of(type));
  const ofResources = RESOURCE_POLICIES.flatMap((type) => stage.of(type)).flatMap(({ properties }) =>
    statements(properties.PolicyDocument),
  );
  const byRole = new Map(
    stage
      .of("AWS::IAM::Role")
      .map(({ ref, arn, properties }) => [
        ref,
        [
          ...policies
            .filter((policy) => policy.properties.Roles.includes(ref))
            .flatMap((policy) => statements(policy.properties.PolicyDocument)),
          ...(properties.Policies ?? []).flatMap((policy: Made["properties"]) => statements(policy.PolicyDocument)),
          ...ofResources.filter((statement) => speaksOf(statement, arn)),
        ] as readonly Statement[],
      ]),
  );
  const roles = new Map(stage.of("AWS::Lambda::Function").map(({ ref, properties }) => [ref, roleName(properties.Role)]));
  return (caller) => byRole.get(roles.get(caller) ?? caller) ?? [];
};

/** The name of a role in its address. */
export const roleName = (arn: string): string => arn.split("/").at(-1) ?? arn;

/** Throws where a function could not be made, for the service may not take on its role. */
export const checkRoles = (stage: MadeStage): void => {
  const roles = new Map(stage.of("AWS::IAM::Role").map(({ ref, properties }) => [ref, properties.AssumeRolePolicyDocument]));
  for (const { ref, properties } of stage.of("AWS::Lambda::Function")) {
    const trusted = statements(roles.get(roleName(properties.Role))).filter(
      ({ Principal }) => typeof Principal === "object" && [Principal.Service ?? []].flat().includes("lambda.amazonaws.com"),
    );
    const ask = { action: "sts:AssumeRole", resource: "*", context: {} };
    if (!allows(trusted, ask)) throw new Error(`${ref}: its role lets no function take it on`);
  }
};
