import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { IconCalendar, IconMail, IconMessage, IconPlus } from '../../../ui/icons.ts'
import { KeyValue } from '../../../ui/KeyValue.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { useOwner } from '../../owner/web/session.ts'
import { InviteLead } from '../account/web/InviteLead.tsx'
import type { Lead, TrackedMessage } from '../contract.ts'
import { historyQuery } from '../followup/web/data.ts'
import { LeadHistory } from '../followup/web/LeadHistory.tsx'
import { useSeen } from '../followup/web/useSeen.ts'
import { emailsQuery, textsQuery } from './data.ts'
import { LeadCalls } from './LeadCalls.tsx'
import { LeadSprint } from './LeadSprint.tsx'
import { instantLabel, sourceNames, statusNames } from './labels.ts'
import type { OnLead } from './leadActions.ts'
import { MessageBubble } from './MessageBubble.tsx'

/** What the desk always names, also when it is not known. */
const none = '–'

const accountOf = (lead: Lead, invited: boolean): string =>
  lead.isCustomer ? 'Customer' : lead.hasAccount ? 'Registered' : invited ? 'Opened, no password set yet' : 'None yet'

const Contact = ({ lead, invited }: { lead: Lead; invited: boolean }) => (
  <KeyValue
    labelWidth={136}
    items={[
      { label: 'Email', value: <LinkTo href={`mailto:${lead.email}`}>{lead.email}</LinkTo> },
      { label: 'Phone', value: <LinkTo href={`tel:${lead.phone}`}>{lead.phone}</LinkTo> },
      { label: 'Status', value: statusNames[lead.status] },
      { label: 'Account', value: accountOf(lead, invited) },
      { label: 'Next call', value: lead.nextCallAt ? instantLabel(lead.nextCallAt) : null },
      { label: 'Source', value: sourceNames[lead.source] },
      { label: 'Campaign', value: lead.campaign || none },
      { label: 'Created', value: instantLabel(lead.createdAt) },
    ]}
  />
)

/** How they came and with what: below what they said. */
const Visit = ({ lead }: { lead: Lead }) => (
  <section aria-labelledby="lead-visit">
    <h3 id="lead-visit">How they came</h3>
    <KeyValue
      labelWidth={136}
      items={[
        { label: 'UTM source', value: lead.utm_source || none },
        { label: 'UTM medium', value: lead.utm_medium },
        { label: 'UTM campaign', value: lead.utm_campaign },
        { label: 'UTM content', value: lead.utm_content },
        { label: 'UTM term', value: lead.utm_term },
        { label: 'Referrer', value: lead.referrer || 'Direct' },
        { label: 'Page', value: lead.currentUrl },
        { label: 'Landed', value: lead.landingTime ? instantLabel(lead.landingTime) : null },
        { label: 'Device', value: lead.isMobile ? 'Mobile' : 'Desktop' },
        { label: 'Platform', value: lead.platform || none },
        { label: 'Browser', value: lead.userAgent },
        { label: 'Language', value: lead.language },
        { label: 'Screen resolution', value: lead.screenResolution || none },
        { label: 'Viewport', value: lead.viewport },
      ]}
    />
  </section>
)

const Tracking = ({
  leadId,
  channel,
  messages,
}: {
  leadId: string
  channel: 'email' | 'sms'
  messages: readonly TrackedMessage[]
}) =>
  messages.length === 0 ? (
    <p className="desk-talk__none">No {channel} messages yet</p>
  ) : (
    <ol className="desk-bubbles">
      {messages.toReversed().map((message) => (
        <MessageBubble key={message._id} leadId={leadId} channel={channel} message={message} />
      ))}
    </ol>
  )

const tabs = [
  { value: 'info', label: 'Lead Info' },
  { value: 'email', label: 'Email Tracking' },
  { value: 'sms', label: 'SMS Tracking' },
] as const

/** Everything on one lead. */
export const LeadDetails = ({ lead, onClose, onLead }: { lead: Lead; onClose: () => void; onLead: OnLead }) => {
  const { ask } = useOwner()
  useSeen(lead)
  const [inviting, setInviting] = useState(false)
  const invited = useQuery(historyQuery(ask, lead._id)).data?.some(({ kind }) => kind === 'account') ?? false
  const [tab, setTab] = useState<(typeof tabs)[number]['value']>('info')
  // What cannot be read leaves the lists empty; the lead itself is here.
  const emails = useQuery({ ...emailsQuery(ask, lead._id), enabled: tab === 'email' })
  const texts = useQuery({ ...textsQuery(ask, lead._id), enabled: tab === 'sms' })
  return (
    <Dialog open onClose={onClose} title={lead.name} size="l">
      <div className="desk-details">
        <div className="desk-details__acts">
          <Button icon={<IconMail />} onClick={() => onLead('email', lead)}>
            Send Email
          </Button>
          <Button icon={<IconMessage />} onClick={() => onLead('sms', lead)}>
            Send SMS
          </Button>
          <Button icon={<IconCalendar />} onClick={() => onLead('demo', lead)}>
            Book Demo
          </Button>
          {lead.hasAccount ? null : (
            <Button icon={<IconPlus />} onClick={() => setInviting(true)}>
              {invited ? 'Mail the link again' : 'Create Account'}
            </Button>
          )}
        </div>
        <Tabs label={`About ${lead.name}`} tabs={tabs} value={tab} onChange={(value) => setTab(value as typeof tab)} />
        {tab === 'info' ? (
          <>
            <Contact lead={lead} invited={invited} />
            <LeadHistory lead={lead} />
            <LeadCalls leadId={lead._id} />
            <LeadSprint leadId={lead._id} />
            <Visit lead={lead} />
          </>
        ) : null}
        {inviting ? <InviteLead lead={lead} onClose={() => setInviting(false)} /> : null}
        {tab === 'email' ? <Tracking leadId={lead._id} channel="email" messages={emails.data ?? []} /> : null}
        {tab === 'sms' ? <Tracking leadId={lead._id} channel="sms" messages={texts.data ?? []} /> : null}
      </div>
    </Dialog>
  )
}
