import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { useOwner } from '../../owner/web/session.ts'
import type { Lead } from '../contract.ts'
import { couponMark, fillTemplate, fillTextTemplate, type Template } from '../rules.ts'
import { couponsQuery, isLive, templatesQuery } from './data.ts'
import { templateNames } from './labels.ts'

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
  const fill = (text: string) =>
    (channel === 'sms' ? fillTextTemplate : fillTemplate)(text, {
      ...lead,
      schedulingLink: data?.schedulingLink ?? '',
      callAt: lead.nextCallAt,
      timeZone: lead.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    })
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

/** Asks for a live coupon while the placeholder still stands in the message; nothing leaves before. */
export const CouponGap = ({ text, onFill }: { text: string; onFill: (text: string) => void }) => {
  const { ask } = useOwner()
  const isNeeded = text.includes(couponMark)
  const { data } = useQuery({ ...couponsQuery(ask), enabled: isNeeded })
  const [chosen, setChosen] = useState('')
  if (!isNeeded) return null
  const live = data?.coupons.filter(isLive) ?? []
  const code = live.some((coupon) => coupon.code === chosen) ? chosen : ''
  return (
    <div className="desk-coupon">
      <SelectField
        label={`Coupon for ${couponMark}`}
        hint={
          data && live.length === 0
            ? 'No coupon is live. Make one in the settings; the message cannot be sent without.'
            : 'It must be filled in before the message can be sent.'
        }
        placeholder="Choose a coupon"
        value={code}
        options={live.map((coupon) => ({ value: coupon.code, label: `${coupon.code}, ${coupon.percentOff}% off` }))}
        onChange={setChosen}
      />
      <Button onClick={() => onFill(text.replaceAll(couponMark, code))} disabled={code === ''}>
        Fill in
      </Button>
    </div>
  )
}
