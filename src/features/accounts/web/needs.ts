import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'

/** A form whose named fields must not be empty; each says what to do. */
export const needs =
  <T extends FieldValues>(message: { [K in keyof T & string]?: string }): Resolver<T> =>
  (values) => {
    const empty = Object.entries(message).filter(([name]) => String(values[name] ?? '').trim() === '')
    if (empty.length === 0) return { values, errors: {} }
    const errors = Object.fromEntries(empty.map(([name, message]) => [name, { type: 'required', message }]))
    return { values: {}, errors: errors as FieldErrors<T> }
  }
