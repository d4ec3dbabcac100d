import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { useToday } from '../../../accounts/web/session.ts'
import type { CustomFieldRecord } from '../contract.ts'
import type { CustomFilter, CustomOp } from '../rules.ts'

type Props = {
  fields: readonly CustomFieldRecord[]
  onAdd: (filters: readonly CustomFilter[]) => void
  onClose: () => void
}

const asked = [
  { value: 'value', label: 'Is or has …' },
  { value: 'filled', label: 'Is filled' },
  { value: 'empty', label: 'Is empty' },
] as const
type Asked = (typeof asked)[number]['value']

/** One filter by a custom field, typed by its kind. */
export const FilterDialog = ({ fields, onAdd, onClose }: Props) => {
  const today = useToday()
  const [fieldId, setFieldId] = useState(fields[0]?.id ?? '')
  const [how, setHow] = useState<Asked>('value')
  const [text, setText] = useState('')
  const [from, setFrom] = useState<string | number | null>(null)
  const [to, setTo] = useState<string | number | null>(null)
  const field = fields.find(({ id }) => id === fieldId)
  if (!field) return null
  const isRange = field.type === 'number' || field.type === 'date'
  const one = (op: CustomOp, value: string | number): CustomFilter => ({ fieldId, op, value: String(value) })
  const wanted =
    how !== 'value'
      ? [one(how, '')]
      : isRange
        ? [...(from === null ? [] : [one('from', from)]), ...(to === null ? [] : [one('to', to)])]
        : text.trim()
          ? [one(field.type === 'text' ? 'has' : 'is', text.trim())]
          : []
  const pick = (id: string) => {
    setFieldId(id)
    setText('')
    setFrom(null)
    setTo(null)
  }
  const options =
    field.type === 'yesno'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : field.choices.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Dialog open onClose={onClose} size="s" title="Filter by a field">
      <form
        className="custom-columns"
        onSubmit={(event) => {
          event.preventDefault()
          if (wanted.length === 0) return
          onAdd(wanted)
          onClose()
        }}
      >
        <SelectField
          label="Field"
          value={fieldId}
          onChange={pick}
          options={fields.map(({ id, name, record }) => ({
            value: id,
            label: record === 'property' ? `${name} (property)` : name,
          }))}
        />
        <SelectField label="What of it" value={how} onChange={setHow} options={asked} />
        {how !== 'value' ? null : field.type === 'text' ? (
          <TextField label="Has these words" value={text} onChange={setText} maxLength={100} />
        ) : field.type === 'number' ? (
          <FieldGrid min={120}>
            <NumberField label="From" optional value={from as number | null} onChange={setFrom} />
            <NumberField label="To" optional value={to as number | null} onChange={setTo} />
          </FieldGrid>
        ) : field.type === 'date' ? (
          <FieldGrid min={120}>
            <DateField label="From" optional today={today} value={from as string | null} onChange={setFrom} />
            <DateField label="To" optional today={today} value={to as string | null} onChange={setTo} />
          </FieldGrid>
        ) : (
          <SelectField label="Is" value={text} placeholder="Choose" options={options} onChange={setText} />
        )}
        <FormActions>
          <Button type="submit" kind="primary" disabled={wanted.length === 0}>
            Show these
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
