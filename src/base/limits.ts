/** Units, so that no number in the code has to be counted by its zeros. */
export const kibibyte = 1024;
export const mebibyte = 1024 * kibibyte;
export const gibibyte = 1024 * mebibyte;
export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
