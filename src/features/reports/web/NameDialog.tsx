import { useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { ReportSettings, SavedReport } from '../contract.ts'
import { kindInfo, type ReportKind } from '../rules.ts'
import { useChangeReport, useSaveReport } from './data.ts'

type Props = {
  /** The report to rename; without one what is on the screen is kept as a new one. */
  saved: SavedReport | null
  kind: ReportKind
  settings: ReportSettings
  onClose: () => void
  onSaved: (report: SavedReport) => void
}

export const NameDialog = ({ saved, kind, settings, onClose, onSaved }: Props) => {
  const form = useForm<{ name: string }>({ defaultValues: { name: saved?.name ?? kindInfo[kind].title } })
  const save = useSaveReport()
  const change = useChangeReport()
  const title = saved ? 'Rename the report' : 'Save this report'
  const submit = async ({ name }: { name: string }) => {
    const made = saved
      ? await change.mutateAsync({ params: { id: saved.id }, body: { version: saved.version, name } })
      : await save.mutateAsync({ name, kind, settings })
    toast.success(saved ? `The report is called “${made.name}” now` : `“${made.name}” is saved for the office`)
    onSaved(made)
  }
  return (
    <Dialog open onClose={onClose} title={title} size="s">
      <Form form={form} onSubmit={submit} label={title}>
        <FormField name="name" control={form.control} needed="Name the report.">
          {(field) => <TextField label="Name" maxLength={60} autoComplete="off" autoFocus {...field} />}
        </FormField>
        {saved ? null : (
          <p className="hint">
            The whole office has it. It keeps period, filters and columns; “last month” is another month next time.
          </p>
        )}
        <FormActions>
          <Button kind="primary" type="submit" loading={save.isPending || change.isPending}>
            {saved ? 'Rename' : 'Save'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
