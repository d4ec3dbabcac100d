import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { useOwner } from '../../../owner/web/session.ts'
import type { Lead } from '../../contract.ts'
import { historyQuery } from '../../followup/web/data.ts'
import { sprintQuery } from '../../web/data.ts'
import { messageOf } from '../../web/labels.ts'
import { useNotify } from '../../web/notice.ts'
import { leadAccountApi } from '../contract.ts'

const said = {
  invited: (email: string) => `Account opened; the link to set a password is on its way to ${email}`,
  sent_again: (email: string) => `The account was there already; a fresh link is on its way to ${email}`,
  sent_already: (email: string) => `The link was mailed to ${email} minutes ago; it was not sent twice`,
} as const

type Props = { lead: Lead; onClose: () => void }

const Fields = ({ lead, businessName, onClose }: Props & { businessName: string }) => {
  const { ask } = useOwner()
  const notify = useNotify()
  const queries = useQueryClient()
  const form = useForm({ defaultValues: { name: lead.name, businessName } })
  return (
    <Form
      form={form}
      label={`Account for ${lead.name}`}
      onSubmit={async (body) => {
        if (!body.name.trim()) return form.setError('name', { message: 'Enter a name' }, { shouldFocus: true })
        if (!body.businessName.trim())
          return form.setError('businessName', { message: 'What is the business called?' }, { shouldFocus: true })
        try {
          const { state, email } = await ask(leadAccountApi.invite, { params: { leadId: lead._id }, body })
          notify('done', said[state](email))
          void queries.invalidateQueries({ queryKey: historyQuery(ask, lead._id).queryKey })
          onClose()
        } catch (error) {
          form.setError('root', { message: messageOf(error) })
        }
      }}
    >
      <FormField control={form.control} name="name">
        {(f) => <TextField {...f} label="Owner" maxLength={120} autoComplete="off" />}
      </FormField>
      <FormField control={form.control} name="businessName">
        {(f) => (
          <TextField {...f} label="Business" hint="Stands on their invoices; they can change it." maxLength={120} />
        )}
      </FormField>
      {form.formState.errors.root ? (
        <p className="desk-wrong" role="alert">
          {form.formState.errors.root.message}
        </p>
      ) : null}
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Create account and mail the link
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** Opens an account for the person and company of a lead, who set their own password by a link. */
export const InviteLead = ({ lead, onClose }: Props) => {
  const { ask } = useOwner()
  const application = useQuery(sprintQuery(ask, lead._id))
  const [business] = application.data?.answers ?? []
  return (
    <Dialog open onClose={onClose} title={`Create an account for ${lead.name}?`} size="s" closeOnOutside={false}>
      <p className="muted desk-invited">
        {lead.email} is mailed a link to set a password, good for 7 days. Until then nobody gets in, and nothing is
        charged.
      </p>
      {application.isPending ? (
        <PanelSkeleton />
      ) : (
        <Fields lead={lead} businessName={business?.answer.split('\n')[0] ?? ''} onClose={onClose} />
      )}
    </Dialog>
  )
}
