import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Button } from '../../../ui/Button.tsx'
import { IconFileText, IconPencil, IconPhone, IconUsers } from '../../../ui/icons.ts'
import { KeyValue } from '../../../ui/KeyValue.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { lazyPart, useAhead } from '../../../ui/lazyAhead.tsx'
import { Money } from '../../../ui/Money.tsx'
import { RecordFailed } from '../../../ui/RecordFailed.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { quoteNeed } from '../../customers/rules.ts'
import { Writer } from '../../messages/web/Composer.tsx'
import { businessLeadsApi, type LeadRecord } from '../contract.ts'
import { lostReasonLabel, notInPrice, type Stage, sourceLabel, stageLabel, stages, tieLabel } from '../rules.ts'
import { leadQuery, useMoveLead, useWriteLead } from './data.ts'
import { placeOf, Wait } from './LeadCard.tsx'
import { LeadNotes } from './LeadNotes.tsx'
import { LeadRequests } from './LeadRequests.tsx'
import { LeadTimeline } from './LeadTimeline.tsx'
import { LostDialog } from './LostDialog.tsx'
import { NextStepForm } from './NextStepForm.tsx'
import '../../../ui/talks.css'

const WishedDay = lazyPart(() => import('../booking/web/WishedDay.tsx').then((m) => m.WishedDay))
const EditLead = lazyPart(() => import('./EditLead.tsx').then((m) => m.EditLead))
const ConvertLead = lazyPart(() => import('./ConvertLead.tsx').then((m) => m.ConvertLead))

/** Where the lead stands, and every other place by one press. */
const StageBar = ({ lead }: { lead: LeadRecord }) => {
  const move = useMoveLead()
  const [losing, setLosing] = useState(false)
  const to = (stage: Stage) =>
    stage === 'lost' ? setLosing(true) : move.mutate({ lead, stage }, { onError: toast.error })
  return (
    <>
      <fieldset className="lead-stages">
        <legend className="ui-hidden">Stage</legend>
        {stages.map((stage) => (
          <button
            key={stage}
            type="button"
            className={`is-${stage}`}
            aria-pressed={lead.stage === stage}
            disabled={!lead.can.move || (lead.stage === stage && stage !== 'lost')}
            onClick={() => to(stage)}
          >
            {stageLabel[stage]}
          </button>
        ))}
      </fieldset>
      <p className="hint lead-stages__why">
        {lead.stage === 'lost' && lead.lostReason
          ? `${lostReasonLabel[lead.lostReason]}${lead.lostNote ? `. “${lead.lostNote}”` : ''}`
          : lead.stageBy === 'person'
            ? 'Set by hand: what happened before leaves it here.'
            : 'Moves by itself when you write, when a quote goes out or is answered, and when work is booked.'}
      </p>
      {losing ? (
        <LostDialog
          name={lead.name}
          onClose={() => setLosing(false)}
          onLost={async (lost) => {
            await move.mutateAsync({ lead, stage: 'lost', lost })
            setLosing(false)
          }}
        />
      ) : null}
    </>
  )
}

const Facts = ({ lead }: { lead: LeadRecord }) => {
  const { timeZone } = useUser().business
  const place = [lead.street, lead.unit, lead.city, [lead.state, lead.zip].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ')
  return (
    <KeyValue
      items={[
        { label: 'Asked for', value: lead.wants ? <span className="pre-line">{lead.wants}</span> : null },
        { label: 'Phone', value: lead.phone ? <a href={`tel:${lead.phone}`}>{formatPhone(lead.phone)}</a> : null },
        { label: 'E-mail', value: lead.email ? <a href={`mailto:${lead.email}`}>{lead.email}</a> : null },
        { label: 'Address', value: place },
        {
          label: 'Lawn',
          value: lead.lawnSquareFeet === null ? null : `${lead.lawnSquareFeet.toLocaleString('en-US')} sq ft`,
        },
        {
          label: 'Drawn by the visitor',
          value: lead.drawnSquareFeet === null ? null : `${lead.drawnSquareFeet.toLocaleString('en-US')} sq ft`,
        },
        {
          label: 'Price told',
          value:
            lead.priceLowCents === null || lead.priceHighCents === null ? null : (
              <>
                <Money cents={lead.priceLowCents} />
                {lead.priceHighCents > lead.priceLowCents ? (
                  <>
                    {' to '}
                    <Money cents={lead.priceHighCents} />
                  </>
                ) : null}
                {lead.afterLook.length > 0 ? <span className="hint"> {notInPrice(lead.afterLook)}</span> : null}
              </>
            ),
        },
        {
          label: 'Came by',
          value: (
            <>
              {sourceLabel[lead.source]}
              {lead.sourceDetail ? `: ${lead.sourceDetail}` : ''}
              {lead.referredBy ? (
                <>
                  {' of '}
                  <LinkTo href={linkTo.customer(lead.referredBy.id)}>{lead.referredBy.name}</LinkTo>
                </>
              ) : null}
            </>
          ),
        },
        { label: 'Who answers', value: lead.assignee?.name ?? <span className="hint">Nobody yet</span> },
        {
          label: 'Came',
          value: `${formatDay(dayOf(lead.createdAt, timeZone), { year: true })}, ${formatTime(lead.createdAt, timeZone)}`,
        },
      ]}
    />
  )
}

/** Who else of the funnel has the same phone, e-mail or address: perhaps the same person, perhaps another one of the house. */
const Others = ({ lead }: { lead: LeadRecord }) =>
  lead.others.length > 0 ? (
    <ul className="lead-known" aria-label="Others with the same phone, e-mail or address">
      {lead.others.map((other) => (
        <li key={other.id}>
          Same {other.matches.map((one) => tieLabel[one]).join(' and ')} as{' '}
          <LinkTo href={linkTo.lead(other.id)}>{other.name}</LinkTo> ({stageLabel[other.stage]})
        </li>
      ))}
    </ul>
  ) : null

const Body = ({ lead }: { lead: LeadRecord }) => {
  const write = useWriteLead(lead.id)
  const mayWrite = useMay()(businessLeadsApi.sendText)
  return (
    <div className="lead-body">
      <section aria-label="Where it stands">
        <StageBar lead={lead} />
      </section>
      <WishedDay leadId={lead.id} />
      <NextStepForm key={`${lead.nextAction}|${lead.nextActionOn}`} lead={lead} />
      <Others lead={lead} />
      <Facts lead={lead} />
      <LeadRequests lead={lead} />
      {mayWrite && (lead.phone || lead.email) ? (
        <section className="lead-write" aria-label={`Write to ${lead.name}`}>
          <Writer contact={lead} preferred={lead.phone ? 'sms' : 'email'} write={write} />
        </section>
      ) : null}
      <LeadNotes lead={lead} />
      <LeadTimeline id={lead.id} />
    </div>
  )
}

/** One lead beside the funnel: where it stands, what comes next, what was said. */
export const LeadPanel = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const may = useMay()
  const found = useQuery(leadQuery(id))
  const [asking, setAsking] = useState<'edit' | 'convert' | 'quote' | null>(null)
  useAhead(EditLead, ConvertLead)
  const lead = found.data
  const close = () => setAsking(null)
  if (!lead && found.isError)
    return (
      <RecordFailed
        what="lead"
        error={found.error}
        onClose={onClose}
        onRetry={found.refetch}
        retrying={found.isFetching}
      />
    )
  return (
    <RecordPanel
      open
      onClose={onClose}
      width={500}
      title={lead?.name ?? 'Loading…'}
      sub={lead ? [lead.customer ? 'A customer of yours' : '', placeOf(lead)].filter(Boolean).join(' · ') : undefined}
      badge={lead ? <Wait lead={lead} /> : undefined}
      actions={
        lead ? (
          <>
            {lead.can.convert ? (
              <Button
                kind="primary"
                calls={businessLeadsApi.convert}
                icon={<IconUsers />}
                onClick={() => setAsking('convert')}
              >
                Make a customer
              </Button>
            ) : null}
            {lead.customer ? <Button href={linkTo.customer(lead.customer.id)}>Open customer</Button> : null}
            {lead.customer && may(quoteNeed) ? (
              <Button
                calls={quoteNeed}
                icon={<IconFileText />}
                href={linkTo.newQuote({ customerId: lead.customer.id, leadId: lead.id })}
              >
                New quote
              </Button>
            ) : null}
            {!lead.customer && lead.can.convert && may(quoteNeed) ? (
              <Button calls={quoteNeed} icon={<IconFileText />} onClick={() => setAsking('quote')}>
                New quote
              </Button>
            ) : null}
            {lead.phone ? (
              <Button icon={<IconPhone />} href={`tel:${lead.phone}`}>
                Call
              </Button>
            ) : null}
            {lead.can.update ? (
              <Button calls={businessLeadsApi.update} icon={<IconPencil />} onClick={() => setAsking('edit')}>
                Edit
              </Button>
            ) : null}
          </>
        ) : undefined
      }
    >
      {lead ? <Body lead={lead} /> : <PanelSkeleton />}
      {lead && asking === 'edit' ? <EditLead lead={lead} onClose={close} /> : null}
      {lead && (asking === 'convert' || asking === 'quote') ? (
        <ConvertLead lead={lead} forQuote={asking === 'quote'} onClose={close} />
      ) : null}
    </RecordPanel>
  )
}
