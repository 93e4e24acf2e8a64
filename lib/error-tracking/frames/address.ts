import type { Address } from "./raw-frame.ts";

const HEX = /^0x[0-9a-f]{1,16}$/i;

/** Where in its image an instruction lies, `shop + 0x41c0`; undefined where no image says where it was loaded. */
export const addressName = ({ instruction_addr, image_addr, package: image }: Address): string | undefined => {
  if (instruction_addr === undefined || image_addr === undefined) return undefined;
  if (!HEX.test(instruction_addr) || !HEX.test(image_addr)) return undefined;
  const offset = BigInt(instruction_addr) - BigInt(image_addr);
  return offset < 0n ? undefined : `${image?.slice(image.lastIndexOf("/") + 1) ?? ""} + 0x${offset.toString(16)}`.trimStart();
};
