import { useEffect, useState } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { IconCalendar, IconClock, IconUser } from '../../../ui/icons.ts'
import type { LeadItem } from '../contract.ts'
import { isOpen, lostReasonLabel, sourceLabel, tieLabel, waitOf } from '../rules.ts'

/** The time that passes, every half minute. */
export const useNowMs = (): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** How long a lead waits for its first answer. */
export const Wait = ({ lead }: { lead: Pick<LeadItem, 'stage' | 'repliedAt' | 'askedAt'> }) => {
  const wait = waitOf(lead, useNowMs())
  return wait ? (
    <Badge tone={wait.tone} dot={false}>
      <IconClock size={13} aria-hidden="true" /> {wait.text === 'just now' ? wait.text : `waits ${wait.text}`}
    </Badge>
  ) : null
}

/** The next step and its day; late stands out. */
export const NextStep = ({ lead, today }: { lead: LeadItem; today: string }) => {
  if (!lead.nextAction && !lead.nextActionOn) return null
  const due = isOpen(lead.stage) && lead.nextActionOn !== null && lead.nextActionOn <= today
  const late = due && lead.nextActionOn !== today
  return (
    <span className={`lead-next${late ? ' is-late' : due ? ' is-due' : ''}`}>
      <IconCalendar size={14} aria-hidden="true" />
      <span>{lead.nextAction || 'Follow up'}</span>
      {lead.nextActionOn ? <b>{lead.nextActionOn === today ? 'Today' : formatDay(lead.nextActionOn)}</b> : null}
    </span>
  )
}

/** Where they are: what they said, else where the customer is. */
export const placeOf = (lead: LeadItem): string =>
  [lead.street, lead.city].filter(Boolean).join(', ') || lead.customerPlace

/** What they asked for; what they asked for after that stands under it. */
export const Asked = ({ lead }: { lead: LeadItem }) => (
  <>
    {lead.wants ? <span className="lead-card__wants">{lead.wants}</span> : null}
    {lead.requestCount > 1 ? (
      <span className="lead-card__wants">
        <b>{lead.requestCount === 2 ? 'Asked again' : `Asked ${lead.requestCount} times`}</b>
        {lead.lastWants ? `: ${lead.lastWants}` : ''}
      </span>
    ) : null}
  </>
)

/** Who it is to the business already: a customer, or somebody else in the funnel. */
export const Ties = ({ lead }: { lead: LeadItem }) =>
  lead.customer || lead.tied ? (
    <span className="lead-card__ties">
      {lead.customer ? (
        <Badge tone="done" dot={false}>
          Customer
        </Badge>
      ) : null}
      {lead.tied ? (
        <span className="hint">
          Same {tieLabel[lead.tied.by]} as {lead.tied.name}
        </span>
      ) : null}
    </span>
  ) : null

/** One lead on the board. */
export const LeadCard = ({
  lead,
  today,
  on,
  onOpen,
}: {
  lead: LeadItem
  today: string
  on: boolean
  onOpen: (id: string) => void
}) => (
  <div className={`lead-card${on ? ' is-on' : ''}`}>
    <button type="button" className="lead-card__open" onClick={() => onOpen(lead.id)} aria-current={on || undefined}>
      <b>{lead.name}</b>
    </button>
    {placeOf(lead) ? <span className="lead-card__place">{placeOf(lead)}</span> : null}
    <Asked lead={lead} />
    <Ties lead={lead} />
    <NextStep lead={lead} today={today} />
    <span className="lead-card__foot">
      <Wait lead={lead} />
      <span className="hint">
        {lead.stage === 'lost' && lead.lostReason ? lostReasonLabel[lead.lostReason] : sourceLabel[lead.source]}
      </span>
      {lead.assignee ? (
        <span className="hint lead-card__who">
          <IconUser size={13} aria-hidden="true" />
          {lead.assignee.name.split(' ')[0]}
        </span>
      ) : null}
    </span>
  </div>
)
