export const ABOUT = "It bounds memory, and about as much memory does as well.";
export const TRIED = "A reader whose head is too old begins anew; one try more or less is as good.";
export const EQUAL = "What is exactly as much as allowed may go either way.";
export const SPARES = "It only spares work that would come to the same.";
export const NO_BITS = "Operators on bits take what is not there as zero; the types want a number.";
export const THERE = "It is there, and is what it is taken for; the types do not say so.";
