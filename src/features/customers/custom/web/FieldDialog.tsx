import { useFieldArray, useForm } from 'react-hook-form'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { IconPlus, IconTrash } from '../../../../ui/icons.ts'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { type CustomFieldRecord, customFieldsApi } from '../contract.ts'
import {
  type CustomRecord,
  type CustomType,
  customTypeLabels,
  customTypes,
  longestName,
  mostChoices,
} from '../rules.ts'
import { useChangeField, useCreateField } from './data.ts'

type Values = {
  record: CustomRecord
  name: string
  type: CustomType
  // A field array keeps `id` for itself.
  choices: { choiceId: string | null; name: string }[]
}

const records = [
  { value: 'customer', label: 'Customers', hint: 'Once for each customer' },
  { value: 'property', label: 'Properties', hint: 'For each of their places' },
] as const
const types = customTypes.map((value) => ({ value, label: customTypeLabels[value] }))

export type FieldDraft = Partial<Pick<Values, 'record' | 'name' | 'type'>> & { choices?: readonly string[] }

type Props = {
  /** The field that is changed, or what a new one begins with. */
  field: CustomFieldRecord | FieldDraft
  onClose: () => void
  onSaved?: (field: CustomFieldRecord) => void
}

const isThere = (field: Props['field']): field is CustomFieldRecord => 'version' in field

const blank = { choiceId: null, name: '' }

/** A custom field is made or changed. What kind it is stays: values are there. */
export const FieldDialog = ({ field, onClose, onSaved }: Props) => {
  const known = isThere(field) ? field : null
  const form = useForm<Values>({
    defaultValues: {
      record: field.record ?? 'customer',
      name: field.name ?? '',
      type: field.type ?? 'text',
      choices: known
        ? known.choices.filter(({ gone }) => !gone).map(({ id, name }) => ({ choiceId: id, name }))
        : ((field as FieldDraft).choices ?? []).map((name) => ({ choiceId: null, name })),
    },
  })
  const { fields: rows, append, remove } = useFieldArray({ control: form.control, name: 'choices' })
  const create = useCreateField()
  const change = useChangeField()
  const type = form.watch('type')
  const save = async ({ choices, ...values }: Values) => {
    const list = choices.filter(({ name }) => name.trim()).map(({ choiceId, name }) => ({ id: choiceId, name }))
    if (values.type === 'choice' && list.length === 0) {
      if (rows.length === 0) append(blank)
      return form.setError('choices.0.name', { message: 'Name at least one choice.' })
    }
    const body = values.type === 'choice' ? { choices: list } : {}
    const saved = known
      ? await change.mutateAsync({ id: known.id, version: known.version, name: values.name, ...body })
      : await create.mutateAsync({ ...values, ...body })
    toast.success(known ? `${saved.name} is saved` : `${saved.name} is on your forms now`)
    onSaved?.(saved)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} closeOnOutside={false} title={known ? `Change ${known.name}` : 'Add a field'}>
      <Form form={form} onSubmit={save} label="Custom field">
        {known ? null : (
          <FormField control={form.control} name="record">
            {(f) => <RadioField row label="It belongs to" options={records} {...f} />}
          </FormField>
        )}
        <FormField control={form.control} name="name" needed="What is it called?">
          {(f) => <TextField label="Name" autoFocus autoComplete="off" maxLength={longestName} {...f} />}
        </FormField>
        {known ? (
          <p className="hint">{customTypeLabels[known.type]}. The kind stays, because values are kept in it.</p>
        ) : (
          <FormField control={form.control} name="type">
            {(f) => <SelectField label="Kind" options={types} {...f} />}
          </FormField>
        )}
        {type === 'choice' ? (
          <fieldset className="choice-rows">
            <legend>Choices</legend>
            {rows.map((row, at) => (
              <div key={row.id} className="choice-row">
                <FormField control={form.control} name={`choices.${at}.name`}>
                  {(f) => <TextField label={`Choice ${at + 1}`} hideLabel maxLength={longestName} {...f} />}
                </FormField>
                <IconButton label={`Take choice ${at + 1} off`} icon={<IconTrash />} onClick={() => remove(at)} />
              </div>
            ))}
            {rows.length < mostChoices ? (
              <div>
                <Button size="s" kind="quiet" icon={<IconPlus />} onClick={() => append(blank)}>
                  Add a choice
                </Button>
              </div>
            ) : null}
            {known ? <p className="hint">Where a choice was picked that you take off, it is still shown.</p> : null}
          </fieldset>
        ) : null}
        <FormActions>
          <Button
            type="submit"
            kind="primary"
            calls={known ? customFieldsApi.update : customFieldsApi.create}
            loading={form.formState.isSubmitting}
          >
            {known ? 'Save field' : 'Add field'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
