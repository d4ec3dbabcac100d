import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Banner } from '../../../ui/Banner.tsx'
import { Stat } from '../../../ui/Stat.tsx'
import { StatRow } from '../../../ui/StatRow.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { OwnerFrame } from '../../owner/web/OwnerFrame.tsx'
import { useOwner } from '../../owner/web/session.ts'
import { OpenGrants } from '../../support/web/OpenGrants.tsx'
import { FailedTasks } from '../../system/failed/web/FailedTasks.tsx'
import type { Lead } from '../contract.ts'
import { Agenda } from '../followup/web/Agenda.tsx'
import { BookDemo } from './BookDemo.tsx'
import { Conversations } from './Conversations.tsx'
import { DeskSettings } from './DeskSettings.tsx'
import { analyticsQuery } from './data.ts'
import './desk.css'
import { LeadDetails } from './LeadDetails.tsx'
import { LeadList } from './LeadList.tsx'
import type { LeadAction, OnLead } from './leadActions.ts'
import { NotifyContext, useNoticeState } from './notice.ts'
import { Responses } from './Responses.tsx'
import { WriteEmail } from './WriteEmail.tsx'
import { WriteText } from './WriteText.tsx'

const tabs = [
  { value: 'leads', label: 'All Leads' },
  { value: 'calls', label: 'Calls' },
  { value: 'conversations', label: 'Conversations' },
  { value: 'responses', label: 'Communications & Tracking' },
  { value: 'support', label: 'Support' },
  { value: 'failed', label: 'Failed tasks' },
  { value: 'settings', label: 'Settings' },
] as const

const Figures = () => {
  const { ask } = useOwner()
  const { data } = useQuery(analyticsQuery(ask))
  const shown = (value: number | undefined, unit = '') =>
    value === undefined ? '–' : `${value.toLocaleString('en-US')}${unit}`
  return (
    <StatRow>
      <Stat label="Total Leads" value={shown(data?.totalLeads)} />
      <Stat
        label="Registration Rate"
        value={data ? `${data.registrationConversionRate.toFixed(1)}%` : '–'}
        note="have an account"
      />
      <Stat
        label="Customer Rate"
        value={data ? `${data.customerConversionRate.toFixed(1)}%` : '–'}
        note="trial or paid"
      />
      <Stat label="This Week" value={shown(data?.recentCount)} note="in the last 7 days" />
    </StatRow>
  )
}

export const Desk = () => {
  const { params, change } = useParams()
  const { notice, notify, close } = useNoticeState()
  const tab = tabs.find((one) => one.value === params.get('tab'))?.value ?? 'leads'
  const { ask } = useOwner()
  const unread = useQuery(analyticsQuery(ask)).data?.unread ?? 0
  const [open, setOpen] = useState<{ action: LeadAction; lead: Lead } | null>(null)
  const onLead: OnLead = (action, lead) => setOpen({ action, lead })
  const closeLead = () => setOpen(null)
  useEffect(() => {
    document.title = `${tabs.find((one) => one.value === tab)?.label ?? 'Leads'} · Swath`
  }, [tab])
  return (
    <NotifyContext value={notify}>
      <OwnerFrame place="Leads Dashboard">
        {notice ? (
          <div className="desk-news">
            <Banner tone={notice.tone} onClose={close}>
              {notice.message}
            </Banner>
          </div>
        ) : null}
        <main id="screen" className="desk" tabIndex={-1}>
          <h1>Leads</h1>
          {tab === 'leads' ? <Figures /> : null}
          <Tabs
            label="Parts of the desk"
            tabs={tabs.map((one) =>
              one.value === 'leads' && unread > 0 ? { ...one, count: unread, counts: 'unread' } : one,
            )}
            value={tab}
            onChange={(value) => change({ tab: value === 'leads' ? null : value })}
          />
          {tab === 'leads' ? (
            <LeadList onLead={onLead} currentId={open?.action === 'details' ? open.lead._id : null} />
          ) : null}
          {tab === 'calls' ? <Agenda /> : null}
          {tab === 'conversations' ? <Conversations onLead={onLead} /> : null}
          {tab === 'responses' ? <Responses onLead={onLead} /> : null}
          {tab === 'support' ? <OpenGrants /> : null}
          {tab === 'failed' ? <FailedTasks /> : null}
          {tab === 'settings' ? <DeskSettings /> : null}
        </main>
        {open?.action === 'details' ? <LeadDetails lead={open.lead} onClose={closeLead} onLead={onLead} /> : null}
        {open?.action === 'email' ? <WriteEmail lead={open.lead} onClose={closeLead} /> : null}
        {open?.action === 'sms' ? <WriteText lead={open.lead} onClose={closeLead} /> : null}
        {open?.action === 'demo' ? <BookDemo lead={open.lead} onClose={closeLead} /> : null}
      </OwnerFrame>
    </NotifyContext>
  )
}
