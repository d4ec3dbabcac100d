import { useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { toast } from '../../../ui/toast.tsx'
import { businessLeadsApi, type LeadRecord } from '../contract.ts'
import { useUpdateLead } from './data.ts'
import { LeadFields, leadBody, leadValues } from './LeadFields.tsx'

/** Changes what is known of a lead; only what was changed is sent. */
export const EditLead = ({ lead, onClose }: { lead: LeadRecord; onClose: () => void }) => {
  const form = useForm({ defaultValues: leadValues(lead) })
  const update = useUpdateLead(lead.id)
  return (
    <Dialog open onClose={onClose} closeOnOutside={false} title={`Edit ${lead.name}`}>
      <Form
        form={form}
        label="Edit lead"
        onSubmit={async (values) => {
          const [before, now] = [leadBody(leadValues(lead)), leadBody(values)]
          const changes = Object.fromEntries(
            Object.entries(now).filter(([key, value]) => before[key as keyof typeof before] !== value),
          )
          if (Object.keys(changes).length > 0) {
            await update.mutateAsync({ ...changes, version: lead.version })
            toast.success(`${values.name} is saved`)
          }
          onClose()
        }}
      >
        <LeadFields />
        <FormActions>
          <Button type="submit" kind="primary" calls={businessLeadsApi.update} loading={form.formState.isSubmitting}>
            Save lead
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
