import { useForm } from 'react-hook-form'
import { call } from '../../../shared/client.ts'
import type { Day } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import type { Choice } from '../../../ui/ComboboxField.tsx'
import { ComboboxField } from '../../../ui/ComboboxField.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday, useUser } from '../../accounts/web/session.ts'
import { searchApi } from '../../search/contract.ts'
import type { OfficeTask } from '../contract.ts'
import { useSaveTask } from './data.ts'
import { OwnerField } from './OwnerField.tsx'

type Values = { title: string; note: string; dueOn: Day | null; ownerId: string; customer: Choice | null }

const findCustomers = async (q: string, signal: AbortSignal): Promise<Choice[]> =>
  (await call(searchApi.find, { query: { q } }, { signal })).results
    .filter(({ kind }) => kind === 'customer')
    .map(({ id, title, subtitle }) => ({ value: id, label: title, hint: subtitle }))

type Props = {
  task: OfficeTask | null
  /** Whom a new one is about. */
  customer?: { id: string; name: string } | undefined
  onClose: () => void
}

/** Adds a task, or changes one: what, when, who. */
export const TaskDialog = ({ task, customer, onClose }: Props) => {
  const today = useToday()
  const user = useUser()
  const { add, update } = useSaveTask()
  const form = useForm<Values>({
    defaultValues: {
      title: task?.title ?? '',
      note: task?.note ?? '',
      dueOn: task?.dueOn ?? today,
      ownerId: task ? (task.ownerId ?? '') : user._id,
      customer: customer ? { value: customer.id, label: customer.name } : null,
    },
  })
  const submit = async ({ title, note, dueOn, ownerId, customer: about }: Values) => {
    if (dueOn === null) return form.setError('dueOn', { message: 'Choose a day.' })
    const body = { title, note, dueOn, ownerId: ownerId || null }
    if (task) await update.mutateAsync({ ...body, id: task.id, version: task.version })
    else await add.mutateAsync({ ...body, customerId: about?.value ?? null })
    toast.success(task ? 'Task saved' : 'Task added')
    onClose()
  }
  return (
    <Dialog open onClose={onClose} closeOnOutside={false} title={task ? 'Edit task' : 'Add a task'}>
      <Form form={form} onSubmit={submit} label="Task">
        <FieldGrid>
          <FormField control={form.control} name="title">
            {(f) => <TextField label="What is to be done" autoFocus maxLength={200} className="is-whole" {...f} />}
          </FormField>
          <FormField control={form.control} name="dueOn">
            {(f) => <DateField label="Day" today={today} {...f} />}
          </FormField>
          <FormField control={form.control} name="ownerId">
            {(f) => <OwnerField {...f} />}
          </FormField>
          {task || customer ? null : (
            <FormField control={form.control} name="customer">
              {(f) => (
                <ComboboxField
                  label="About a customer"
                  optional
                  placeholder="Name, street or phone"
                  search={findCustomers}
                  emptyText="No such customer"
                  className="is-whole"
                  {...f}
                />
              )}
            </FormField>
          )}
          <FormField control={form.control} name="note">
            {(f) => <TextAreaField label="Note" optional rows={2} maxLength={2000} className="is-whole" {...f} />}
          </FormField>
        </FieldGrid>
        <FormActions>
          <Button kind="primary" type="submit" loading={form.formState.isSubmitting}>
            {task ? 'Save task' : 'Add task'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
