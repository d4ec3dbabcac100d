import { useForm } from 'react-hook-form'
import { addDays } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { businessLeadsApi, type LeadRecord } from '../contract.ts'
import { useUpdateLead } from './data.ts'

type Values = { nextAction: string; nextActionOn: string | null }

/** What comes next and when: on its day it stands in Needs you. */
export const NextStepForm = ({ lead }: { lead: LeadRecord }) => {
  const today = useToday()
  const update = useUpdateLead(lead.id)
  const form = useForm<Values>({ defaultValues: { nextAction: lead.nextAction, nextActionOn: lead.nextActionOn } })
  const { isDirty, isSubmitting } = form.formState
  const save = async (values: Values) => {
    await update.mutateAsync({ ...values, version: lead.version })
    toast.success(
      values.nextActionOn
        ? 'The next step comes back on its day'
        : values.nextAction
          ? 'Saved'
          : 'The next step is done',
    )
  }
  const soon = (days: number) => form.setValue('nextActionOn', addDays(today, days), { shouldDirty: true })
  return (
    <Form form={form} onSubmit={save} label="Next step" className="lead-step">
      <fieldset disabled={!lead.can.update}>
        <FormField control={form.control} name="nextAction">
          {(f) => <TextField label="Next step" placeholder="Call back with a price" maxLength={200} {...f} />}
        </FormField>
        <FormField control={form.control} name="nextActionOn">
          {(f) => <DateField label="On" today={today} {...f} />}
        </FormField>
      </fieldset>
      {lead.can.update ? (
        <div className="lead-step__foot">
          {isDirty ? (
            <>
              <Button size="s" type="submit" kind="primary" calls={businessLeadsApi.update} loading={isSubmitting}>
                Save next step
              </Button>
              <Button size="s" kind="quiet" onClick={() => form.reset()}>
                Undo
              </Button>
            </>
          ) : null}
          {!isDirty && (lead.nextAction || lead.nextActionOn) ? (
            <Button
              size="s"
              loading={update.isPending}
              onClick={() => void save({ nextAction: '', nextActionOn: null }).catch(toast.error)}
            >
              Done
            </Button>
          ) : null}
          <Button size="s" kind="quiet" onClick={() => soon(1)}>
            Tomorrow
          </Button>
          <Button size="s" kind="quiet" onClick={() => soon(3)}>
            In 3 days
          </Button>
          <Button size="s" kind="quiet" onClick={() => soon(7)}>
            In a week
          </Button>
        </div>
      ) : null}
    </Form>
  )
}
