import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { IconChevronDown, IconMail, IconMessage } from '../../../ui/icons.ts'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { useParams } from '../../../ui/useParams.ts'
import type { Lead } from '../contract.ts'
import { useSeen } from '../followup/web/useSeen.ts'
import { dayLabel, statusNames } from './labels.ts'
import type { OnLead } from './leadActions.ts'
import { MessageBubble } from './MessageBubble.tsx'
import { TalkedLeads } from './TalkedLeads.tsx'
import { UnreadMark } from './UnreadMark.tsx'

type Channel = 'sms' | 'email'

const newestOf = (lead: Lead) =>
  [...lead.smsTracking, ...lead.emailTracking].toSorted((a, b) => b.sentAt.localeCompare(a.sentAt))[0]

const LeadCard = ({
  lead,
  open,
  onToggle,
  onLead,
}: {
  lead: Lead
  open: boolean
  onToggle: () => void
  onLead: OnLead
}) => {
  const newest = newestOf(lead)
  useSeen(lead, open)
  const [chosen, setChosen] = useState<Channel | null>(null)
  // Opens where the newest word is.
  const channel = chosen ?? (newest && lead.emailTracking.some((one) => one._id === newest._id) ? 'email' : 'sms')
  const messages = (channel === 'sms' ? lead.smsTracking : lead.emailTracking).toReversed()
  return (
    <li className={`desk-talk${open ? ' is-open' : ''}`}>
      <h2>
        <button type="button" className="desk-talk__head" aria-expanded={open} onClick={onToggle}>
          <span className="desk-talk__who">
            <b>
              {lead.name} <UnreadMark of={lead.unread} />
            </b>
            <span className="hint">
              {lead.email} · {lead.phone}
            </span>
          </span>
          <span className="desk-talk__last hint">{newest ? newest.subject || newest.message : ''}</span>
          <span className={`desk-dot is-${lead.status}`}>{statusNames[lead.status]}</span>
          <span className="hint num">{newest ? dayLabel(newest.sentAt) : ''}</span>
          <IconChevronDown size={18} aria-hidden="true" />
        </button>
      </h2>
      {open ? (
        <div className="desk-talk__body">
          <Tabs
            label={`Messages with ${lead.name}`}
            tabs={[
              { value: 'sms', label: 'SMS', count: lead.smsTracking.length },
              { value: 'email', label: 'Email', count: lead.emailTracking.length },
            ]}
            value={channel}
            onChange={(value) => setChosen(value as Channel)}
          />
          {messages.length === 0 ? (
            <p className="desk-talk__none">No {channel} messages yet</p>
          ) : (
            <ol className="desk-bubbles">
              {messages.map((message) => (
                <MessageBubble key={message._id} leadId={lead._id} channel={channel} message={message} />
              ))}
            </ol>
          )}
          <div className="desk-talk__acts">
            <Button size="s" icon={<IconMessage />} onClick={() => onLead('sms', lead)}>
              Send SMS
            </Button>
            <Button size="s" icon={<IconMail />} onClick={() => onLead('email', lead)}>
              Send Email
            </Button>
            <Button size="s" kind="quiet" onClick={() => onLead('details', lead)}>
              Details
            </Button>
          </div>
        </div>
      ) : null}
    </li>
  )
}

/** Mail and texts with each lead, whoever wrote last first. */
export const Conversations = ({ onLead }: { onLead: OnLead }) => {
  const { params, change } = useParams()
  const search = (params.get('search') ?? '').slice(0, 100)
  const openId = params.get('lead')
  return (
    <section className="desk-talks" aria-label="Conversations">
      <SearchInput
        slash
        label="Search conversations"
        placeholder="Name, email, phone or words"
        value={search}
        onChange={(text) => change({ search: text }, { replace: true })}
      />
      <TalkedLeads search={search} empty="Write to a lead, and everything you say to each other stands here.">
        {(lead) => (
          <LeadCard
            key={lead._id}
            lead={lead}
            open={lead._id === openId}
            onToggle={() => change({ lead: lead._id === openId ? null : lead._id }, { replace: true })}
            onLead={onLead}
          />
        )}
      </TalkedLeads>
    </section>
  )
}
