import { useQuery } from '@tanstack/react-query'
import { useFieldArray, useForm } from 'react-hook-form'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { IconPlus, IconTrash } from '../../../../ui/icons.ts'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { CardSkeleton } from '../../../../ui/Skeleton.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import {
  asksLabel,
  type CheckAsks,
  type CheckItem,
  checkAsks,
  type ItemSubject,
  itemSubjects,
  mostItems,
} from '../rules.ts'
import { settingsQuery, useChecks } from './data.ts'

type Saved = { asks: CheckAsks; items: CheckItem[]; version: number }

const subjectLabel: Record<ItemSubject, string> = {
  truck: 'Each truck',
  trailer: 'Each trailer',
  mower: 'Each mower',
  crew: 'Once, for the crew',
}

type Row = { itemId: string; en: string; es: string; of: ItemSubject }

const Editor = ({ saved, onClose }: { saved: Saved; onClose: () => void }) => {
  const { save } = useChecks()
  const form = useForm<{ asks: CheckAsks; items: Row[] }>({
    defaultValues: { asks: saved.asks, items: saved.items.map(({ id, ...item }) => ({ ...item, itemId: id })) },
  })
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'items' })
  const submit = async ({ asks, items }: { asks: CheckAsks; items: Row[] }) => {
    await save.mutateAsync({
      asks,
      items: items.map(({ itemId, ...item }) => ({ ...item, id: itemId })),
      version: saved.version,
    })
    toast.success('Crews see the new check with their next signal')
    onClose()
  }
  return (
    <Form form={form} onSubmit={submit} label="Truck check">
      <FormField control={control} name="asks">
        {(f) => (
          <RadioField
            label="Crews are asked"
            options={checkAsks.map((value) => ({ value, label: asksLabel[value] }))}
            {...f}
          />
        )}
      </FormField>
      <fieldset className="eq-items">
        <legend>What they look at</legend>
        {fields.map((field, at) => (
          <div key={field.id} className="eq-item">
            <FormField control={control} name={`items.${at}.en`} needed="What is looked at?">
              {(f) => <TextField label={`Point ${at + 1}`} maxLength={60} {...f} />}
            </FormField>
            <FormField control={control} name={`items.${at}.es`}>
              {(f) => <TextField label="In Spanish" optional maxLength={60} {...f} />}
            </FormField>
            <FormField control={control} name={`items.${at}.of`}>
              {(f) => (
                <SelectField
                  label="On"
                  options={itemSubjects.map((value) => ({ value, label: subjectLabel[value] }))}
                  {...f}
                />
              )}
            </FormField>
            <IconButton label={`Take point ${at + 1} off`} icon={<IconTrash />} onClick={() => remove(at)} />
          </div>
        ))}
        {fields.length < mostItems ? (
          <Button
            size="s"
            icon={<IconPlus />}
            onClick={() => append({ itemId: crypto.randomUUID().slice(0, 13), en: '', es: '', of: 'truck' })}
          >
            Add a point
          </Button>
        ) : null}
      </fieldset>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

const Loaded = ({ onClose }: { onClose: () => void }) => {
  const found = useQuery({ ...settingsQuery, staleTime: 0, gcTime: 0 })
  if (found.error) return <ErrorState error={found.error} compact onRetry={() => void found.refetch()} />
  if (!found.data) return <CardSkeleton />
  return <Editor saved={found.data} onClose={onClose} />
}

/** What crews look at before their day, and when they are asked. */
export const CheckSettings = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="Truck check" size="l">
    {open ? <Loaded onClose={onClose} /> : null}
  </Dialog>
)
