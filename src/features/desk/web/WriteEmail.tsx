import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { IconSend } from '../../../ui/icons.ts'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { Lead } from '../contract.ts'
import { CouponGap, QuickTemplates } from './Templates.tsx'
import { useWriting } from './useWriting.ts'

/** Writes a mail to a lead. */
export const WriteEmail = ({ lead, onClose }: { lead: Lead; onClose: () => void }) => {
  const writing = useWriting('email', lead, onClose)
  return (
    <Dialog open onClose={onClose} title="Send Email" size="m" closeOnOutside={writing.message === ''}>
      <form className="desk-write" noValidate aria-label="Send Email" onSubmit={writing.submit}>
        <p className="muted">
          To {lead.name}, {lead.email}
        </p>
        {lead.emailSuppressed ? <Banner tone="warn">{lead.emailSuppressed}</Banner> : null}
        <QuickTemplates
          channel="email"
          lead={lead}
          onPick={({ subject, message }) => {
            writing.setSubject(subject)
            writing.setMessage(message)
          }}
        />
        <TextField
          label="Subject"
          value={writing.subject}
          onChange={writing.setSubject}
          maxLength={200}
          error={writing.problems.subject}
        />
        <TextAreaField
          label="Message"
          rows={9}
          value={writing.message}
          onChange={writing.setMessage}
          maxLength={20_000}
          error={writing.problems.message}
        />
        <CouponGap text={writing.message} onFill={writing.setMessage} />
        <FormActions>
          <Button type="submit" kind="primary" icon={<IconSend />} loading={writing.isSending}>
            Send Email
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
