import type { Ref } from 'react'
import { FieldFrame, type FieldProps, useFieldIds } from './FieldFrame.tsx'
import { IconChevronDown } from './icons.ts'

export type Option<V extends string = string> = { value: V; label: string; disabled?: boolean }

/** One of a few known things: the browser's own list, best on phones. For many or remote things use ComboboxField. */
export const SelectField = <V extends string>({
  value,
  onChange,
  onBlur,
  name,
  disabled,
  options,
  placeholder,
  ref,
  ...frame
}: Omit<FieldProps<V>, 'value'> & {
  value: V | '' | null
  options: readonly Option<V>[]
  placeholder?: string
  ref?: Ref<HTMLSelectElement>
}) => {
  const { controlId, aria } = useFieldIds(frame)
  return (
    <FieldFrame {...frame} controlId={controlId}>
      <span className="ui-input ui-input--select">
        <select
          {...aria}
          id={controlId}
          ref={ref}
          name={name}
          value={value ?? ''}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value as V)}
          onBlur={onBlur}
        >
          {placeholder !== undefined ? <option value="">{placeholder}</option> : null}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        <IconChevronDown size={16} aria-hidden="true" />
      </span>
    </FieldFrame>
  )
}
