import { useState } from 'react'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { IconSend } from '../../../ui/icons.ts'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { costlyLabel, plainText, smsSegments } from '../../messages/rules.ts'
import type { Lead } from '../contract.ts'
import { textCharacters } from '../rules.ts'
import { CouponGap, QuickTemplates } from './Templates.tsx'
import { useWriting } from './useWriting.ts'

const Counter = ({ text, onPlain }: { text: string; onPlain: (text: string) => void }) => {
  const { segments, plain } = smsSegments(text)
  const better = plainText(text)
  const helps = better !== text && better.length <= textCharacters && smsSegments(better).segments < segments
  return (
    <div className="desk-count" aria-live="polite">
      <span className="num">
        {text.length}/{textCharacters} characters
      </span>
      {segments > 1 ? (
        <span className="hint">
          Costs {segments} segments{plain ? '' : `: ${costlyLabel(text)}`}.{' '}
          {helps ? (
            <button type="button" className="desk-plain" onClick={() => onPlain(better)}>
              Use plain characters
            </button>
          ) : null}
        </span>
      ) : null}
    </div>
  )
}

/** Writes a text to a lead: 160 characters at most. */
export const WriteText = ({ lead, onClose }: { lead: Lead; onClose: () => void }) => {
  const writing = useWriting('sms', lead, onClose)
  const [isCut, setCut] = useState(false)
  const set = (text: string) => {
    writing.setMessage(text.slice(0, textCharacters))
    setCut(false)
  }
  const pick = ({ message }: { message: string }) => {
    set(message)
    setCut(message.length > textCharacters)
  }
  return (
    <Dialog open onClose={onClose} title="Send SMS" size="m" closeOnOutside={writing.message === ''}>
      <form className="desk-write" noValidate aria-label="Send SMS" onSubmit={writing.submit}>
        <p className="muted">
          To {lead.name}, {lead.phone}
        </p>
        {lead.smsSuppressed ? <Banner tone="warn">{lead.smsSuppressed}</Banner> : null}
        <QuickTemplates channel="sms" lead={lead} onPick={pick} />
        {isCut ? <Banner tone="warn">The template is longer than a text: its end is missing.</Banner> : null}
        <TextAreaField
          label="Message"
          rows={4}
          value={writing.message}
          onChange={set}
          error={writing.problems.message}
        />
        <Counter text={writing.message} onPlain={set} />
        <CouponGap text={writing.message} onFill={set} />
        <FormActions>
          <Button type="submit" kind="primary" icon={<IconSend />} loading={writing.isSending}>
            Send SMS
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
