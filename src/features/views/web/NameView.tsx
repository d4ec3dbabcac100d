import { useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { ViewRecord } from '../contract.ts'
import type { Hub, ViewQuery } from '../rules.ts'
import { useChangeView, useSaveView } from './data.ts'

type Values = { name: string; shared: boolean; isDefault: boolean }
type Props = {
  hub: Hub
  /** The view to rename; without one what the list shows is kept as a new one. */
  view: ViewRecord | null
  /** That view as it is by now; null where somebody deleted it, or for a new one. */
  now: ViewRecord | null
  query: ViewQuery
  onClose: () => void
  onSaved: (view: ViewRecord) => void
}

export const NameView = ({ hub, view, now, query, onClose, onSaved }: Props) => {
  const form = useForm<Values>({ defaultValues: { name: view?.name ?? '', shared: false, isDefault: false } })
  const save = useSaveView(hub)
  const change = useChangeView(hub)
  const submit = async ({ name, ...rest }: Values) => {
    const saved = view
      ? await change.mutateAsync({ params: { id: view.id }, body: { version: (now ?? view).version, name } })
      : await save.mutateAsync({ hub, name, query, ...rest })
    toast.success(view ? `The view is called “${saved.name}” now` : `“${saved.name}” is saved`)
    onSaved(saved)
  }
  if (view && !now)
    return (
      <Dialog open onClose={onClose} title="Rename the view" size="s">
        <p>Somebody deleted “{view.name}” meanwhile, so there is nothing to rename.</p>
        <FormActions>
          <Button onClick={onClose}>Close</Button>
        </FormActions>
      </Dialog>
    )
  return (
    <Dialog open onClose={onClose} title={view ? 'Rename the view' : 'Save this view'} size="s">
      <Form form={form} onSubmit={submit} label={view ? 'Rename the view' : 'Save this view'}>
        <FormField name="name" control={form.control} needed="Name the view">
          {(field) => <TextField label="Name" maxLength={60} autoComplete="off" autoFocus {...field} />}
        </FormField>
        {view && now && now.name !== view.name ? (
          <p className="hint">Somebody called it “{now.name}” meanwhile.</p>
        ) : null}
        {view ? null : (
          <>
            <p className="hint">It keeps what the list shows now: filter, search and order.</p>
            <FormField name="shared" control={form.control}>
              {(field) => <CheckboxField label="Share it with the office" {...field} />}
            </FormField>
            <FormField name="isDefault" control={form.control}>
              {(field) => <CheckboxField label="Open this list with it, for me" {...field} />}
            </FormField>
          </>
        )}
        <FormActions>
          <Button kind="primary" type="submit" loading={save.isPending || change.isPending}>
            {view ? 'Rename' : 'Save the view'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
