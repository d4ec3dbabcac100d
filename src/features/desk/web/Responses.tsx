import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Stat } from '../../../ui/Stat.tsx'
import { StatRow } from '../../../ui/StatRow.tsx'
import { useNarrow } from '../../../ui/useNarrow.ts'
import { useOwner } from '../../owner/web/session.ts'
import type { Lead, TrackedMessage } from '../contract.ts'
import { previewOf } from '../rules.ts'
import { analyticsQuery } from './data.ts'
import { badgesOf, instantLabel } from './labels.ts'
import type { OnLead } from './leadActions.ts'
import { TalkedLeads } from './TalkedLeads.tsx'

type Entry = TrackedMessage & { channel: 'email' | 'sms' }

const timelineOf = (lead: Lead): Entry[] =>
  [
    ...lead.emailTracking.map((message) => ({ ...message, channel: 'email' as const })),
    ...lead.smsTracking.map((message) => ({ ...message, channel: 'sms' as const })),
  ].toSorted((a, b) => b.sentAt.localeCompare(a.sentAt))

const Moment = ({ entry }: { entry: Entry }) => (
  <li className="desk-moment">
    <div className="desk-moment__head">
      <Badge tone={entry.direction === 'inbound' ? 'now' : 'neutral'}>
        {entry.channel === 'email' ? 'Email' : 'SMS'} {entry.direction === 'inbound' ? 'received' : 'sent'}
      </Badge>
      <span className="hint num">{instantLabel(entry.sentAt)}</span>
    </div>
    {entry.subject ? <b>{entry.subject}</b> : null}
    <p>{previewOf(entry.message)}</p>
    <ul className="desk-moment__news">
      {badgesOf(entry).map((badge) => (
        <li key={badge.label}>
          <Badge tone={badge.tone} dot>
            {badge.label}
          </Badge>
          {badge.at ? <span className="hint num">{instantLabel(badge.at)}</span> : null}
        </li>
      ))}
    </ul>
    {entry.reason ? <span className="hint">{entry.reason}</span> : null}
  </li>
)

/** Messages of a lead that stand open, at a desk and on a phone; the others come when they are asked for. */
const firstOf = { wide: 3, narrow: 1 }

const Timeline = ({ lead, onLead }: { lead: Lead; onLead: OnLead }) => {
  const [all, setAll] = useState(false)
  const firstMoments = useNarrow() ? firstOf.narrow : firstOf.wide
  const entries = timelineOf(lead)
  return (
    <li className="desk-timeline">
      <header>
        <h2>{lead.name}</h2>
        <span className="hint">{lead.email}</span>
        <Button size="s" kind="quiet" onClick={() => onLead('details', lead)}>
          Details
        </Button>
      </header>
      <ol>
        {(all ? entries : entries.slice(0, firstMoments)).map((entry) => (
          <Moment key={entry._id} entry={entry} />
        ))}
      </ol>
      {all || entries.length <= firstMoments ? null : (
        <Button size="s" kind="quiet" onClick={() => setAll(true)}>
          Show {entries.length - firstMoments} older<span className="ui-hidden"> messages with {lead.name}</span>
        </Button>
      )}
    </li>
  )
}

/** Communications & Tracking: the figures, and each lead's messages with what became of them, the newest first. */
export const Responses = ({ onLead }: { onLead: OnLead }) => {
  const { ask } = useOwner()
  const figures = useQuery(analyticsQuery(ask)).data
  const count = (value: number | undefined) => (value === undefined ? '–' : value.toLocaleString('en-US'))
  return (
    <section className="desk-responses" aria-label="Communications & Tracking">
      <StatRow>
        <Stat label="Emails Sent" value={count(figures?.emailsSent)} />
        <Stat label="SMS Sent" value={count(figures?.smsSent)} />
        <Stat label="SMS Replies" value={count(figures?.smsReplies)} />
        <Stat label="Email Opens" value={count(figures?.emailOpens)} note="by people, without machines" />
        <Stat label="Email Open Rate" value={figures ? `${figures.emailOpenRate.toFixed(1)}%` : '–'} />
        <Stat label="SMS Response Rate" value={figures ? `${figures.smsResponseRate.toFixed(1)}%` : '–'} />
        <Stat label="Total Conversations" value={count(figures?.totalConversations)} />
      </StatRow>
      <TalkedLeads
        className="desk-timelines"
        limit={15}
        empty="What you send and what comes back stands here with its times."
      >
        {(lead) => <Timeline key={lead._id} lead={lead} onLead={onLead} />}
      </TalkedLeads>
    </section>
  )
}
