/** Ties a field that may be empty to a value that must be a number: what is left empty is refused with words when it is sent. */
export const numberOf = <F extends { onChange: (value: number) => void }>(field: F) => ({
  ...field,
  onChange: (value: number | null) => field.onChange(value as number),
})
