import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { SymbolSets } from "../../../lib/error-tracking/symbol-sets.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { PageQuery, page, paginated } from "../../../lib/http/pagination.ts";
import { empty, json } from "../../../lib/http/reply.ts";
import { readWindow } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { require } from "../../../lib/table/store.ts";
import { BASE, type InProject, read, TAGS, write } from "../place.ts";
import { SymbolSetForm, symbolSetForms } from "./symbol-set-form.ts";
import { finishUploads, removeSet, startUploads, type UploadAddress } from "./upload.ts";
import { chunkId, FinishBody, FinishOneBody, sentUploads, UploadBody } from "./upload-body.ts";
import { planUploads, setsOfRefs } from "./upload-plan.ts";

const find = ({ params, grant, world }: InProject) =>
  require(world.table, SymbolSets, { project: grant.project.id, id: params.id.toLowerCase() }, { consistent: true });

const list = route({
  method: "GET",
  path: `${BASE}/symbol_sets/`,
  summary: "List symbol sets",
  description: "Source maps that were uploaded, the newest first.",
  tags: TAGS,
  access: read,
  query: PageQuery.extend({ ref: z.string().optional().meta({ description: "Only the symbol set with this ref: the id of its chunk." }) }),
  reply: json(200, paginated(SymbolSetForm)),
  async handle({ query: { ref, ...query }, grant, world, request }) {
    const project = grant.project.id;
    if (ref) {
      const found = [...(await setsOfRefs(world.table, project, [ref])).values()];
      return page(request, query, found.length, await symbolSetForms(world.table, found.slice(query.offset, query.offset + query.limit)));
    }
    const options = { ...query, descending: true, counter: counterKey("symbolSetCount", project) };
    const { count, items } = await readWindow(world.table, SymbolSets, "key", { project }, options);
    return page(request, query, count, await symbolSetForms(world.table, items));
  },
});

const retrieve = route({
  method: "GET",
  path: `${BASE}/symbol_sets/{id}/`,
  summary: "Retrieve a symbol set",
  tags: TAGS,
  access: read,
  reply: json(200, SymbolSetForm),
  find,
  async handle({ found, world }) {
    const [form] = await symbolSetForms(world.table, [found]);
    if (form === undefined) throw notFound();
    return form;
  },
});

const download = route({
  method: "GET",
  path: `${BASE}/symbol_sets/{id}/download/`,
  summary: "Give the address of a symbol set's file",
  description: "The address is good for an hour. 404 where no file was uploaded.",
  tags: TAGS,
  access: read,
  reply: json(200, z.object({ url: z.url() })),
  find,
  async handle({ found: { object }, world }) {
    if (object === null) throw notFound("Symbol set has no uploaded file.");
    return { url: await world.objects.address(object) };
  },
});

const destroy = route({
  method: "DELETE",
  path: `${BASE}/symbol_sets/{id}/`,
  summary: "Delete a symbol set",
  description: "Its file is deleted as well. Frames that it resolved stay as they are.",
  tags: TAGS,
  access: write,
  reply: empty(204),
  errors: [409],
  find,
  async handle({ found, world }) {
    await removeSet(world, found);
  },
});

const EXAMPLE = {
  chunk_id: "0197c7f2-6f0e-7c1e-9a8f-5d1b8f6f9e11",
  release_id: null,
  content_hash: "9f86d081884c7d65",
  content_length: 1_024,
};

const bulkCheck = route({
  method: "POST",
  path: `${BASE}/symbol_sets/bulk_check_upload/`,
  summary: "Ask which symbol sets have to be uploaded",
  description: "Nothing is changed. Refused as the upload itself would be.",
  tags: TAGS,
  access: write,
  body: UploadBody,
  examples: { body: { symbol_sets: [EXAMPLE] } },
  reply: json(200, z.object({ chunk_ids_to_upload: z.array(z.string()) })),
  async handle({ body, grant, world }) {
    const planned = await planUploads(world, grant.project.id, sentUploads(body), body);
    return { chunk_ids_to_upload: planned.map(({ upload }) => upload.ref) };
  },
});

const FormAddress = z.object({ url: z.url(), fields: z.record(z.string(), z.string()) }).meta({ id: "PresignedForm" });

const AddressForm = z
  .object({ presigned_url: FormAddress, presigned_put_url: z.url().exactOptional(), symbol_set_id: z.guid() })
  .meta({ id: "ErrorTrackingSymbolSetAddress" });

const addressForm = ({ id, admission: { form, put } }: UploadAddress): z.input<typeof AddressForm> => ({
  presigned_url: { url: form.url, fields: { ...form.fields } },
  ...(put !== undefined && { presigned_put_url: put }),
  symbol_set_id: id,
});

const bulkStart = route({
  method: "POST",
  path: `${BASE}/symbol_sets/bulk_start_upload/`,
  summary: "Begin to upload symbol sets",
  description:
    "Gives an address for the file of each set, good for 15 minutes. A set whose content is there already has none. Other content is " +
    "refused, unless it is to be put in place of what is there (`force`) or to be passed over (`skip_on_conflict`).",
  tags: TAGS,
  access: write,
  body: UploadBody,
  examples: { body: { symbol_sets: [EXAMPLE] } },
  reply: json(201, z.object({ id_map: z.record(z.string(), AddressForm) })),
  errors: [409],
  async handle({ body, grant, world }) {
    const planned = await planUploads(world, grant.project.id, sentUploads(body), body);
    const addresses = await startUploads(world, grant.project.id, planned);
    return { id_map: Object.fromEntries([...addresses].map(([ref, address]) => [ref, addressForm(address)])) };
  },
});

const Success = z.object({ success: z.literal(true) });

const bulkFinish = route({
  method: "POST",
  path: `${BASE}/symbol_sets/bulk_finish_upload/`,
  summary: "Say that symbol sets were uploaded",
  description: "From now on they resolve frames; stored frames of their chunks are resolved in the background.",
  tags: TAGS,
  access: write,
  body: FinishBody,
  examples: { body: { content_hashes: {} } },
  reply: json(201, Success),
  errors: [409],
  async handle({ body, grant, world }) {
    await finishUploads(world, grant.project.id, new Map(Object.entries(body.content_hashes ?? {})));
    return { success: true as const };
  },
});

const start = route({
  method: "POST",
  path: `${BASE}/symbol_sets/start_upload/`,
  summary: "Begin to upload a symbol set",
  description: "As older command line tools do it, one at a time.",
  tags: TAGS,
  access: write,
  query: z.object({
    chunk_id: chunkId().meta({ description: "Id of the chunk." }),
    release_id: z.string().optional().meta({ description: "Id of the release that the chunk belongs to." }),
  }),
  reply: json(201, AddressForm),
  errors: [409],
  async handle({ query: { chunk_id: ref, release_id }, grant, world }) {
    const upload = { ref, releaseId: release_id || null, contentHash: null, bytes: undefined };
    const addresses = await startUploads(world, grant.project.id, await planUploads(world, grant.project.id, [upload], {}));
    const address = addresses.get(ref);
    if (address === undefined) throw notFound();
    return addressForm(address);
  },
});

const finish = route({
  method: "PUT",
  path: `${BASE}/symbol_sets/{id}/finish_upload/`,
  summary: "Say that a symbol set was uploaded",
  tags: TAGS,
  access: write,
  body: FinishOneBody,
  examples: { body: { content_hash: "9f86d081884c7d65" } },
  reply: json(200, Success),
  errors: [409],
  find,
  async handle({ found, body, grant, world }) {
    await finishUploads(world, grant.project.id, new Map([[found.id, body.content_hash]]));
    return { success: true as const };
  },
});

export const symbolSetRoutes = [list, bulkCheck, bulkStart, bulkFinish, start, retrieve, download, finish, destroy];
