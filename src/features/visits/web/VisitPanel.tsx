import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import {
  IconArrowBackUp,
  IconCalendar,
  IconCheck,
  IconPlayerSkipForward,
  IconRepeat,
  IconX,
} from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { isGone, RecordFailed } from '../../../ui/RecordFailed.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useNarrow } from '../../../ui/useNarrow.ts'
import { useToday, useUser } from '../../accounts/web/session.ts'
import { VisitLabor } from '../../timeclock/payroll/web/VisitLabor.tsx'
import type { Visit } from '../contract.ts'
import { mainVisitAction, offeredActions, type PanelAction, type panelActions, visitRefusals } from '../rules.ts'
import { useUndoableDeed, visitQuery } from './data.ts'
import { FinishDialog } from './FinishDialog.tsx'
import { MoveDialog, type Target } from './MoveDialog.tsx'
import { ReasonDialog, SkipDialog } from './ReasonDialogs.tsx'
import { VisitFacts, VisitLines, VisitTimes } from './VisitFacts.tsx'
import { VisitHistory, VisitMessages } from './VisitHistory.tsx'
import { VisitLink } from './VisitLink.tsx'
import { CrewWords, VisitChecklist, VisitNotes } from './VisitNotes.tsx'
import { VisitPhotos } from './VisitPhotos.tsx'
import { VisitState } from './VisitState.tsx'
import './visits.css'

const look = {
  finish: { icon: <IconCheck />, label: () => 'Finish' },
  move: { icon: <IconCalendar />, label: (visit: Visit) => (visit.day ? 'Move' : 'Schedule') },
  rebook: { icon: <IconRepeat />, label: () => 'Book another day' },
  skip: { icon: <IconPlayerSkipForward />, label: () => 'Skip' },
  reopen: {
    icon: <IconArrowBackUp />,
    label: (visit: Visit) => (visit.status === 'completed' ? 'Reopen' : 'Bring back'),
  },
  cancel: { icon: <IconX size={18} />, label: () => 'Cancel this visit' },
} as const

type Shown = (typeof panelActions)[number]
type Actions = { visit: Visit; busy: boolean; onAct: (action: PanelAction) => void }
type Others = Actions & { main: Shown | null; today: string }

const ActionButton = ({ visit, action, kind, busy, onAct }: Actions & { action: Shown; kind?: 'primary' }) => (
  <Button
    {...(kind ? { kind, className: 'visit-main' } : {})}
    icon={look[action].icon}
    loading={busy && action === 'reopen'}
    onClick={() => onAct(action)}
  >
    {look[action].label(visit)}
  </Button>
)

const OtherActions = ({ main, today, ...props }: Others) => {
  const { visit, onAct } = props
  const others = offeredActions(visit, today).filter((action) => action !== main && action !== 'cancel')
  return (
    <>
      {others.map((action) => (
        <ActionButton key={action} action={action} {...props} />
      ))}
      <MoreMenu
        label="More for this visit"
        items={[
          visit.can.unschedule && {
            label: 'Take off the calendar',
            icon: <IconCalendar size={18} />,
            onClick: () => onAct('unschedule'),
          },
          visit.can.cancel && {
            label: look.cancel.label(),
            icon: look.cancel.icon,
            danger: true,
            onClick: () => onAct('cancel'),
          },
        ]}
      />
    </>
  )
}

const Notices = ({ visit }: { visit: Visit }) => {
  const last = visit.conflicts.at(-1)
  const elsewhere = last?.reason === 'not_yours'
  const { invoice } = visit
  const kept =
    invoice && (visit.status === 'completed' || visit.status === 'skipped')
      ? visitRefusals.reopen({ ...visit, jobEnded: false, elsewhere: false })
      : null
  return (
    <>
      {last && visit.status !== 'completed' ? (
        <Banner
          tone="warn"
          title={`${last.byName ?? 'The crew'} worked here while it was ${elsewhere ? 'with another crew' : last.reason.replaceAll('_', ' ')}.`}
        >
          {elsewhere
            ? 'The time and the photos of the phone are kept. Whether they count is decided under Needs you on the dashboard.'
            : 'The time and the photos of the phone are kept. To count the work, bring the visit back and finish it: the times are filled in.'}
        </Banner>
      ) : null}
      {visit.sent === 'changed' && visit.day ? (
        <Banner tone="info" title="The crew was sent another plan.">
          <LinkTo href={linkTo.routeDay(visit.day)}>Publish {formatDay(visit.day)}</LinkTo> so that they see what
          changed.
        </Banner>
      ) : null}
      {visit.rebookedAs ? (
        <Banner tone="info" title="It has another day.">
          <VisitLink id={visit.rebookedAs}>
            {visit.rebookedDay ? formatDay(visit.rebookedDay) : 'Open the other visit'}
          </VisitLink>
        </Banner>
      ) : null}
      {kept && invoice && visit.priceCents !== null ? (
        <Banner
          tone="info"
          title={
            visit.status === 'skipped'
              ? `The charge for this skip ${invoice.status === 'draft' ? 'stands in a draft' : 'is billed'}.`
              : invoice.status === 'draft'
                ? 'It stands in a draft.'
                : 'It is billed.'
          }
        >
          To {visit.status === 'skipped' ? 'bring it back' : 'reopen it'}, void{' '}
          <LinkTo href={linkTo.invoice(invoice.id)}>INV-{invoice.number}</LinkTo> first.
        </Banner>
      ) : null}
    </>
  )
}

type Props = {
  id: string
  onClose: () => void
  onOpen: (visitId: string) => void
  /** The note that repeats on every visit of its job, to be read and changed. */
  jobNote?: ((visit: Visit) => ReactNode) | undefined
  /** What speaks against a day and crew, as the calendar says it. */
  against?: ((visit: Visit, to: Target) => ReactNode) | undefined
  /** What was put on the lawn. */
  applied?: ((visit: Visit) => ReactNode) | undefined
}

/** One visit over the screen that shows it: what is known, what happened, and everything the office can do with it. */
export const VisitPanel = ({ id, onClose, onOpen, jobNote, against, applied }: Props) => {
  const found = useQuery(visitQuery(id))
  const today = useToday()
  const { timeZone } = useUser().business
  const narrow = useNarrow()
  const [asked, setAsked] = useState<PanelAction | null>(null)
  const { act, isPending } = useUndoableDeed()
  const visit = found.data
  const gone = isGone(found.error)
  const onAct = (action: PanelAction) => {
    if (!visit) return
    if (action === 'unschedule')
      act({ deed: 'move', visit, body: { day: null, crewId: null } }, () => 'Taken off the calendar').catch(toast.error)
    else if (action === 'reopen' && visit.status !== 'completed')
      act({ deed: 'reopen', visit, body: {} }, (now) =>
        now.day ? `Back on ${formatDay(now.day)}` : 'It is back',
      ).catch(toast.error)
    else setAsked(action)
  }
  const close = () => setAsked(null)
  const main = visit ? mainVisitAction(visit, today) : null
  const acting = visit && { visit, busy: isPending, onAct }
  const mainButton = acting && main ? <ActionButton action={main} kind="primary" {...acting} /> : null
  const others =
    acting && Object.values(acting.visit.can).some(Boolean) ? (
      <OtherActions main={main} today={today} {...acting} />
    ) : null
  return (
    <RecordPanel
      open
      over
      onClose={onClose}
      width={540}
      title={visit ? visit.street : 'Visit'}
      badge={visit ? <VisitState visit={visit} today={today} /> : undefined}
      sub={
        visit ? (
          <>
            {visit.title} · <LinkTo href={linkTo.customer(visit.customerId)}>{visit.customerName}</LinkTo>
          </>
        ) : undefined
      }
      actions={
        mainButton || others ? (
          <>
            {narrow ? null : mainButton}
            {others}
          </>
        ) : undefined
      }
      footer={narrow && mainButton ? mainButton : undefined}
    >
      {found.error && (gone || !visit) ? (
        <RecordFailed
          what="visit"
          error={found.error}
          onClose={onClose}
          onRetry={found.refetch}
          retrying={found.isFetching}
        />
      ) : !visit ? (
        <PanelSkeleton />
      ) : (
        <div className="visit-panel">
          <Notices visit={visit} />
          <VisitFacts visit={visit} />
          {visit.status === 'completed' ? <VisitLabor visitId={visit.id} /> : null}
          <VisitTimes visit={visit} timeZone={timeZone} />
          <CrewWords key={`words-${visit.id}`} visit={visit} />
          <VisitNotes key={`notes-${visit.id}`} visit={visit} jobNote={jobNote?.(visit) ?? null} />
          <VisitLines visit={visit} />
          <VisitChecklist visit={visit} />
          {applied?.(visit)}
          <VisitPhotos photos={visit.photos} timeZone={timeZone} />
          <VisitMessages visit={visit} timeZone={timeZone} />
          <VisitHistory visit={visit} timeZone={timeZone} />
          <SkipDialog visit={visit} open={asked === 'skip'} onClose={close} />
          <MoveDialog
            visit={visit}
            open={asked === 'move' || asked === 'rebook'}
            onClose={close}
            onBooked={onOpen}
            against={against}
          />
          <FinishDialog visit={visit} open={asked === 'finish'} onClose={close} />
          <ReasonDialog visit={visit} verb="cancel" open={asked === 'cancel'} onClose={close} />
          <ReasonDialog visit={visit} verb="reopen" open={asked === 'reopen'} onClose={close} />
        </div>
      )}
    </RecordPanel>
  )
}
