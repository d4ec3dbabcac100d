import type { ComponentProps } from 'react'
import { DateField } from '../../../../ui/DateField.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { useToday } from '../../../accounts/web/session.ts'
import type { CustomFieldRecord } from '../contract.ts'
import { type CustomRecord, longestText } from '../rules.ts'
import { type CustomForm, type CustomFormValue, useCustomFields } from './data.ts'

type Frame = Pick<
  ComponentProps<typeof TextField>,
  'name' | 'error' | 'onBlur' | 'hideLabel' | 'autoFocus' | 'disabled' | 'className' | 'hint'
>
type Props = Frame & {
  field: CustomFieldRecord
  value: CustomFormValue | undefined
  onChange: (value: CustomFormValue) => void
  label?: string
  optional?: boolean
}

const yesOrNo = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]

/** What fits a field, one value: typed by its kind. */
export const CustomInput = ({ field, value, onChange, label = field.name, optional = true, ...frame }: Props) => {
  const today = useToday()
  const shared = { ...frame, label, ...(optional ? { optional: true as const } : {}) }
  if (field.type === 'number')
    return <NumberField {...shared} value={typeof value === 'number' ? value : null} onChange={onChange} />
  if (field.type === 'date')
    return (
      <DateField
        {...shared}
        today={today}
        value={typeof value === 'string' && value ? value : null}
        onChange={onChange}
      />
    )
  const text = typeof value === 'string' ? value : ''
  if (field.type === 'text')
    return <TextField {...shared} autoComplete="off" maxLength={longestText} value={text} onChange={onChange} />
  const options =
    field.type === 'yesno'
      ? yesOrNo
      : field.choices.filter(({ id, gone }) => !gone || id === text).map(({ id, name }) => ({ value: id, label: name }))
  return <SelectField {...shared} value={text} placeholder="Not said" options={options} onChange={onChange} />
}

/** The custom fields of a form, which holds them under `custom` or `property.custom`. */
export const CustomInputs = ({ record }: { record: CustomRecord }) => {
  const fields = useCustomFields(record)
  return (
    <>
      {fields.map((field) => {
        const name = record === 'customer' ? (`custom.${field.id}` as const) : (`property.custom.${field.id}` as const)
        return (
          <FormField<{ custom: CustomForm; property: { custom: CustomForm } }, typeof name> key={field.id} name={name}>
            {({ ref: _, ...f }) => <CustomInput field={field} {...f} />}
          </FormField>
        )
      })}
    </>
  )
}
