import { usStates } from '../shared/states.ts'
import type { FieldProps } from './FieldFrame.tsx'
import { SelectField } from './SelectField.tsx'

const options = Object.entries(usStates).map(([value, label]) => ({ value, label }))

/** A state of an address: one of the list, so that sales tax can follow it. */
export const StateField = ({
  placeholder,
  ...field
}: Omit<FieldProps<string>, 'value'> & { value: string | null; placeholder?: string }) => (
  <SelectField
    {...field}
    options={options}
    placeholder={placeholder ?? (field.optional ? 'Not said' : 'Choose a state')}
  />
)
