import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useOwner } from '../../owner/web/session.ts'
import type { Lead } from '../contract.ts'
import { couponMark, fillTemplate, type Template } from '../rules.ts'
import { templatesQuery } from './data.ts'
import { templateNames } from './words.ts'

/** The quick templates of a channel, filled for this lead when one is chosen. */
export const QuickTemplates = ({
  channel,
  lead,
  onPick,
}: {
  channel: 'email' | 'sms'
  lead: Lead
  onPick: (template: Template) => void
}) => {
  const { ask } = useOwner()
  const { data, isError } = useQuery(templatesQuery(ask))
  if (isError) return <p className="hint">The quick templates could not be loaded. You can write by hand.</p>
  const fill = (text: string) => fillTemplate(text, lead, data?.schedulingLink ?? '')
  return (
    <fieldset className="desk-templates">
      <legend>Quick templates</legend>
      {data?.items
        .filter((one) => one.channel === channel)
        .map((one) => (
          <Button
            key={one.key}
            size="s"
            onClick={() => onPick({ subject: fill(one.subject), message: fill(one.message) })}
          >
            {templateNames[one.key]}
          </Button>
        ))}
    </fieldset>
  )
}

/** Asks for the code while the placeholder still stands in the message; nothing leaves before. */
export const CouponGap = ({ text, onFill }: { text: string; onFill: (text: string) => void }) => {
  const [code, setCode] = useState('')
  if (!text.includes(couponMark)) return null
  const put = () => {
    const clean = code.trim().toUpperCase()
    if (clean) onFill(text.replaceAll(couponMark, clean))
  }
  return (
    <div className="desk-coupon">
      <TextField
        label={`Coupon for ${couponMark}`}
        hint="It must be filled in before the message can be sent."
        value={code}
        onChange={setCode}
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          put()
        }}
      />
      <Button onClick={put} disabled={code.trim() === ''}>
        Fill in
      </Button>
    </div>
  )
}
