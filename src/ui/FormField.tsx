import type { ReactElement, Ref } from 'react'
import {
  type Control,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  useController,
  useFormContext,
} from 'react-hook-form'

type Bound<V> = {
  name: string
  value: V
  onChange: (value: V) => void
  onBlur: () => void
  error: string | undefined
  ref: Ref<never>
  disabled?: boolean
}
type Props<T extends FieldValues, N extends FieldPath<T>> = {
  name: N
  /** Needed only outside a `Form`, or to have the name and value typed. */
  control?: Control<T, unknown, never> | Control<T>
  /** Said at the field when it is empty: nothing is sent then. */
  needed?: string
  children: (field: Bound<FieldPathValue<T, N>>) => ReactElement
}

/** Ties any field of the kit to react-hook-form: `<FormField control={form.control} name="email">{(f) => <TextField label="Email" {...f} />}</FormField>`. */
export const FormField = <T extends FieldValues, N extends FieldPath<T>>({
  name,
  control,
  needed,
  children,
}: Props<T, N>) => {
  const context = useFormContext<T>()
  const { field, fieldState } = useController<T, N>({
    name,
    control: (control as Control<T>) ?? context.control,
    ...(needed ? { rules: { validate: (value) => (value === null || value === '' ? needed : true) } } : {}),
  })
  return children({
    name: field.name,
    value: field.value,
    onChange: field.onChange,
    onBlur: field.onBlur,
    error: fieldState.error?.message,
    ref: field.ref as Ref<never>,
    ...(field.disabled ? { disabled: true } : {}),
  })
}
