import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../shared/counted.ts'
import { addDays, dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TimeField } from '../../../ui/TimeField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { usageQuery } from '../../messages/web/data.ts'
import { type Campaign, campaignsApi } from '../contract.ts'
import { leastPerHour, mostHoldoutPercent, mostPerHour, partsOf, resultDays } from '../rules.ts'
import type { SegmentCount } from '../segments/contract.ts'
import { type Condition, conditionNeeds } from '../segments/rules.ts'
import { previewQuery, useCampaigns } from './data.ts'
import type { Draft } from './useDraft.ts'
import type { Problems } from './useProblems.ts'
import { profilePath } from './WhatStep.tsx'

type Props = {
  campaign: Campaign
  draft: Draft
  seen: SegmentCount | undefined
  version: () => number
  problems: Problems
  /** A condition that was begun and says nothing yet. */
  half: Condition | undefined
  onStep: (step: 'who' | 'what') => void
  onChange: (changes: Partial<Draft>) => void
  onSave: () => Promise<boolean>
}

const Test = ({ draft, onStep, onChange }: Pick<Props, 'draft' | 'onStep' | 'onChange'>) => {
  const { test } = draft
  return (
    <>
      <CheckboxField
        label="Try out two subjects"
        hint="Part of the audience gets subject A or B; the rest gets the better one."
        value={test !== null}
        onChange={(on) => onChange({ test: on ? { percent: 20, hours: 4, by: 'opens' } : null })}
      />
      {test ? (
        <p className="cp-second">
          {draft.content.en.subjectB.trim() === ''
            ? 'The second subject is not written yet.'
            : `Subject B: ${draft.content.en.subjectB}`}{' '}
          <Button size="s" onClick={() => onStep('what')}>
            {draft.content.en.subjectB.trim() === '' ? 'Write subject B' : 'Change subject B'}
          </Button>
        </p>
      ) : null}
      {test ? (
        <FieldGrid min={170}>
          <SelectField
            label="Tried out on"
            value={String(test.percent)}
            options={[10, 20, 30, 40, 50].map((percent) => ({ value: String(percent), label: `${percent}% of them` }))}
            onChange={(percent) => onChange({ test: { ...test, percent: Number(percent) } })}
          />
          <NumberField
            label="Decided after"
            unit="hours"
            min={1}
            max={72}
            value={test.hours}
            refuse={(hours) =>
              Number.isInteger(hours) && hours >= 1 && hours <= 72 ? null : 'Between 1 and 72 hours.'
            }
            onChange={(hours) => {
              if (hours !== null) onChange({ test: { ...test, hours } })
            }}
          />
          <SelectField
            label="The better one has more"
            value={test.by}
            options={[
              { value: 'opens', label: 'Opens' },
              { value: 'clicks', label: 'Clicks' },
            ]}
            onChange={(by) => {
              if (by) onChange({ test: { ...test, by } })
            }}
          />
        </FieldGrid>
      ) : null}
    </>
  )
}

/** Of whom can be reached, who would be written to or held out. */
const reachedOf = ({ campaign, draft, seen }: Pick<Props, 'campaign' | 'draft' | 'seen'>): number => {
  const { channel } = campaign
  return seen ? seen.reached[channel] - (draft.leaveOutRecent ? seen.recentReached[channel] : 0) : 0
}

/** How the audience would be parted, in words, before anything leaves. */
const Sum = ({ campaign, draft, seen }: Pick<Props, 'campaign' | 'draft' | 'seen'>) => {
  if (!seen) return null
  const reached = reachedOf({ campaign, draft, seen })
  const parts = partsOf(reached, { holdoutPercent: draft.holdoutPercent, testPercent: draft.test?.percent ?? null })
  const sent = reached - parts.heldOut
  const hours = sent / draft.perHour
  const out = seen.looked - seen.reached[campaign.channel]
  return (
    <ul className="cp-sum">
      <li>
        <b>{counted(sent, 'customer')}</b> will get it
        {draft.test
          ? `: ${parts.a} subject A, ${parts.b} subject B, and ${sent - parts.a - parts.b} the better one`
          : ''}
      </li>
      {parts.heldOut > 0 ? <li>{counted(parts.heldOut, 'customer')} are held out to compare with</li> : null}
      {out > 0 ? <li>{counted(out, 'customer')} cannot be reached</li> : null}
      {seen.recent > 0 ? (
        <li>
          {counted(draft.leaveOutRecent ? seen.recentReached[campaign.channel] : seen.recent, 'customer')} had a
          campaign in the last 7 days
          {draft.leaveOutRecent ? ' and are left out' : ''}
        </li>
      ) : null}
      <li className="hint">
        Looked at once more as each one leaves: who says no until then gets nothing.
        {hours > 1 ? ` At this rate it takes about ${Math.ceil(hours)} hours.` : ''}
      </li>
    </ul>
  )
}

/** What the texts count as against the plan, before they leave. */
const PlanSum = ({ draft, sent }: { draft: Draft; sent: number }) => {
  const usage = useQuery(usageQuery)
  const asked = (language: 'en' | 'es') =>
    previewQuery({ channel: 'sms', content: draft.content, language, variant: 'a' })
  const [english, spanish] = [useQuery(asked('en')), useQuery(asked('es'))]
  if (!usage.data || !english.data || !spanish.data || sent === 0) return null
  const { segmentLimit, segmentsUsed } = usage.data
  // the longer of both: how many read Spanish is not known here
  const needed = sent * Math.max(english.data.segments, spanish.data.segments)
  const left = segmentLimit === null ? null : Math.max(0, segmentLimit - segmentsUsed)
  const isOver = left !== null && needed > left
  return (
    <Banner
      tone={isOver ? 'warn' : 'info'}
      title={`About ${counted(needed, 'text segment')}${left === null ? '' : `, of ${left.toLocaleString('en-US')} that your plan has left this month`}`}
    >
      {isOver
        ? 'It pauses once they are used up, and you let it go on. Make the audience smaller, the text shorter, or take a larger plan.'
        : 'They count as they leave. In the night of a customer they wait for the morning.'}
    </Banner>
  )
}

const Schedule = ({
  campaign,
  version,
  kept,
  onSave,
}: Pick<Props, 'campaign' | 'version' | 'onSave'> & { kept: boolean }) => {
  const { timeZone } = useUser().business
  const { schedule, act } = useCampaigns()
  const today = dayOf(new Date(), timeZone)
  const [day, setDay] = useState<string | null>(addDays(today, 1))
  const [minute, setMinute] = useState<number | null>(9 * 60)
  const [problem, setProblem] = useState<string>()
  if (campaign.status === 'scheduled' && campaign.startsAt)
    return (
      <Banner
        tone="info"
        title={`Begins ${formatDay(dayOf(campaign.startsAt, timeZone), { long: true })} at ${formatTime(campaign.startsAt, timeZone)}`}
        action={
          <Button
            calls={campaignsApi.unschedule}
            loading={act.isPending}
            onClick={() => act.mutate({ id: campaign.id, verb: 'unschedule' }, { onError: toast.error })}
          >
            Make it a draft again
          </Button>
        }
      >
        Until then you can change it. Who fits is looked at when it begins.
      </Banner>
    )
  const send = async () => {
    if (!day || minute === null) return setProblem('Choose a day and a time.')
    if (!(await onSave())) return setProblem('Something in it cannot be saved yet.')
    schedule.mutate(
      { id: campaign.id, version: version(), day, minute },
      {
        onSuccess: () => setProblem(undefined),
        onError: (error) =>
          setProblem(
            'errors' in error ? ((error.errors as { message: string }[])[0]?.message ?? error.message) : error.message,
          ),
      },
    )
  }
  return (
    <div className="cp-schedule">
      <FieldGrid min={170}>
        <DateField label="Day" value={day} today={today} min={today} error={problem} onChange={setDay} />
        <TimeField label="Time" value={minute} onChange={setMinute} />
      </FieldGrid>
      <Button calls={campaignsApi.schedule} disabled={kept} loading={schedule.isPending} onClick={() => void send()}>
        Schedule
      </Button>
    </div>
  )
}

/** What keeps it from leaving, with the way to where it is put right. */
const Kept = ({
  channel,
  problems,
  half,
  isNobody,
  onStep,
}: Pick<Props, 'problems' | 'half' | 'onStep'> & { channel: Campaign['channel']; isNobody: boolean }) => {
  const [problem] = problems.all
  if (half)
    return (
      <Banner
        tone="warn"
        title="It cannot leave yet"
        action={<Button onClick={() => onStep('who')}>Back to the conditions</Button>}
      >
        {conditionNeeds(half)}
      </Banner>
    )
  if (isNobody)
    return (
      <Banner
        tone="warn"
        title="It would reach nobody"
        action={<Button onClick={() => onStep('who')}>Change who gets it</Button>}
      >
        Nobody of this audience would get it {channel === 'email' ? 'by e-mail' : 'by text'} now.
      </Banner>
    )
  if (!problem) return null
  return (
    <Banner
      tone="warn"
      title="It cannot leave yet"
      action={
        problem.path.startsWith('content') ? (
          <Button
            onClick={() => {
              problems.tell()
              onStep('what')
            }}
          >
            Put it right
          </Button>
        ) : undefined
      }
    >
      {problem.message} {problem.path === 'address' ? <LinkTo href={profilePath}>Open Profile, Business</LinkTo> : null}
    </Banner>
  )
}

/** How fast, to whom not, and when. From the start on nothing of it changes. */
export const WhenStep = ({ campaign, draft, seen, version, problems, half, onStep, onChange, onSave }: Props) => {
  const { start } = useCampaigns()
  const [asking, setAsking] = useState(false)
  const reached = reachedOf({ campaign, draft, seen })
  const sent = reached - partsOf(reached, { holdoutPercent: draft.holdoutPercent, testPercent: null }).heldOut
  const label = `Send to ${counted(sent, 'customer')}`
  const isNobody = seen !== undefined && sent === 0
  const kept = problems.all.length > 0 || half !== undefined || isNobody
  return (
    <div className="cp-when">
      {campaign.channel === 'email' ? <Test draft={draft} onStep={onStep} onChange={onChange} /> : null}
      <FieldGrid min={200}>
        <NumberField
          label="Held out"
          unit="%"
          min={0}
          max={mostHoldoutPercent}
          hint={`They get nothing, so that you see what it brought within ${resultDays} days.`}
          value={draft.holdoutPercent}
          refuse={(percent) =>
            Number.isInteger(percent) && percent >= 0 && percent <= mostHoldoutPercent
              ? null
              : `Between 0 and ${mostHoldoutPercent}%.`
          }
          onChange={(holdoutPercent) => {
            if (holdoutPercent !== null) onChange({ holdoutPercent })
          }}
        />
        <NumberField
          label="Rate"
          unit="an hour"
          min={leastPerHour}
          max={mostPerHour}
          hint={
            campaign.channel === 'email'
              ? 'Slowly, mail servers trust you more and you can still pause.'
              : 'Slowly, you can answer who writes back, and can still pause.'
          }
          value={draft.perHour}
          refuse={(rate) =>
            Number.isInteger(rate) && rate >= leastPerHour && rate <= mostPerHour
              ? null
              : `Between ${leastPerHour} and ${mostPerHour.toLocaleString('en-US')} an hour.`
          }
          onChange={(perHour) => {
            if (perHour !== null) onChange({ perHour })
          }}
        />
      </FieldGrid>
      <CheckboxField
        label="Leave out who had a campaign in the last 7 days"
        hint={seen ? `${counted(seen.recent, 'customer')} of this audience had one.` : undefined}
        value={draft.leaveOutRecent}
        onChange={(leaveOutRecent) => onChange({ leaveOutRecent })}
      />
      <Sum campaign={campaign} draft={draft} seen={seen} />
      {campaign.channel === 'sms' ? <PlanSum draft={draft} sent={sent} /> : null}
      <Kept channel={campaign.channel} problems={problems} half={half} isNobody={isNobody} onStep={onStep} />
      {campaign.can.schedule ? <Schedule campaign={campaign} version={version} kept={kept} onSave={onSave} /> : null}
      <div>
        <Button
          kind="primary"
          calls={campaignsApi.start}
          disabled={kept || sent === 0}
          onClick={() =>
            void onSave().then((ok) =>
              ok ? setAsking(true) : toast.error('Something in it cannot be saved yet. Nothing was sent.'),
            )
          }
        >
          {label} now
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`${label}?`}
        confirmLabel={label}
        onConfirm={() => start.mutateAsync({ id: campaign.id, version: version() })}
      >
        It begins at once. From then on nobody joins and nothing of it changes; you can pause it at any time.
      </ConfirmDialog>
    </div>
  )
}
