import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { KeyValue } from '../../../ui/KeyValue.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Money } from '../../../ui/Money.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { RecordMissing } from '../../../ui/RecordFailed.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { WhyDialog } from '../../timeclock/sheets/web/WhyDialog.tsx'
import { Defects } from '../checks/web/Defects.tsx'
import { openDefectsQuery } from '../checks/web/data.ts'
import type { EquipmentDetail, ServicePlan } from '../contract.ts'
import { readingText } from '../rules.ts'
import { AssignDialog } from './AssignDialog.tsx'
import { onePieceQuery, usePiece } from './data.ts'
import { EquipmentForm } from './EquipmentForm.tsx'
import { dueText, dueTone, everyText, whatText } from './labels.ts'
import { JudgeDialog, ReadingDialog } from './ReadingDialog.tsx'
import { DoneDialog, PlanDialog } from './ServiceDialogs.tsx'

const sourceLabel = { office: 'office', check: 'truck check', service: 'service' } as const

const Service = ({ piece }: { piece: EquipmentDetail }) => {
  const [planning, setPlanning] = useState<ServicePlan | 'new' | null>(null)
  const [doing, setDoing] = useState<ServicePlan | 'other' | null>(null)
  const remove = usePiece(piece.id, 'removePlan')
  const { meter, can } = piece
  return (
    <section className="eq-part" aria-labelledby={`service-${piece.id}`}>
      <h3 id={`service-${piece.id}`}>Service</h3>
      {piece.plans.length > 0 ? (
        <ul className="eq-rows">
          {piece.plans.map((plan) => (
            <li key={plan.id}>
              <span className="eq-rows__words">
                <span className="eq-line">
                  <b>{plan.what}</b>
                  <Badge tone={dueTone[plan.due.state]}>
                    {plan.due.state === 'overdue' ? 'overdue' : plan.due.state === 'soon' ? 'due soon' : 'later'}
                  </Badge>
                </span>
                <span className="hint">
                  {everyText(plan, meter)} · {dueText(plan.due, meter)} · {plan.wasDone ? 'last done' : 'counted from'}{' '}
                  {formatDay(plan.lastOn, { year: true })}
                  {meter && plan.everyTenths !== null ? `, ${readingText(plan.lastTenths, meter)}` : ''}
                </span>
              </span>
              {can.service ? (
                <span className="eq-rows__do">
                  <Button size="s" aria-label={`Done: ${plan.what}`} onClick={() => setDoing(plan)}>
                    Done
                  </Button>
                  <MoreMenu
                    label={`More for ${plan.what}`}
                    items={[
                      { label: 'Change', onClick: () => setPlanning(plan) },
                      {
                        label: 'Take off',
                        danger: true,
                        onClick: () =>
                          void remove
                            .mutateAsync({ planId: plan.id })
                            .then(() => toast.success(`${plan.what} is not due any more`), toast.error),
                      },
                    ]}
                  />
                </span>
              ) : null}
            </li>
          ))}
        </ul>
      ) : (
        <p className="hint">
          No plan yet. Say what is to be done every so many {meter ?? 'months'}, and it is told two weeks ahead.
        </p>
      )}
      {can.service ? (
        <div className="people-signin__actions">
          <Button size="s" onClick={() => setPlanning('new')}>
            Add a plan
          </Button>
          <Button size="s" onClick={() => setDoing('other')}>
            Repair done
          </Button>
        </div>
      ) : null}
      <PlanDialog
        open={planning !== null}
        piece={piece}
        plan={planning === 'new' ? null : planning}
        onClose={() => setPlanning(null)}
      />
      <DoneDialog
        open={doing !== null}
        piece={piece}
        plan={doing === 'other' ? null : doing}
        onClose={() => setDoing(null)}
      />
    </section>
  )
}

const Work = ({ piece }: { piece: EquipmentDetail }) => {
  const remove = usePiece(piece.id, 'removeWork')
  if (piece.work.length === 0) return null
  return (
    <section className="eq-part" aria-labelledby={`work-${piece.id}`}>
      <h3 id={`work-${piece.id}`}>Done</h3>
      <ul className="eq-rows">
        {piece.work.map((one) => (
          <li key={one.id}>
            <span className="eq-rows__words">
              <b>{one.what}</b>
              <span className="hint">
                {[
                  formatDay(one.doneOn, { year: true }),
                  one.tenths !== null && piece.meter ? readingText(one.tenths, piece.meter) : '',
                  one.by ?? '',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {one.note ? <span>{one.note}</span> : null}
            </span>
            <span className="eq-rows__do">
              {one.costCents !== null && one.expenseId ? (
                <LinkTo href={linkTo.expense(one.expenseId)}>
                  <Money cents={one.costCents} />
                </LinkTo>
              ) : null}
              {piece.can.service ? (
                <Button
                  size="s"
                  kind="quiet"
                  aria-label={`Take back ${one.what}`}
                  loading={remove.isPending && remove.variables?.workId === one.id}
                  onClick={() =>
                    void remove
                      .mutateAsync({ workId: one.id })
                      .then(
                        () => toast.success(one.expenseId ? 'Taken back. Its expense stays.' : 'Taken back'),
                        toast.error,
                      )
                  }
                >
                  Take back
                </Button>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Readings = ({ piece }: { piece: EquipmentDetail }) => {
  const [reading, setReading] = useState(false)
  const [counting, setCounting] = useState<string | null>(null)
  const judge = usePiece(piece.id, 'judge')
  const { meter } = piece
  if (meter === null) return null
  return (
    <section className="eq-part" aria-labelledby={`readings-${piece.id}`}>
      <h3 id={`readings-${piece.id}`}>{meter === 'hours' ? 'Hour meter' : 'Odometer'}</h3>
      {piece.readings.length > 0 ? (
        <ul className="eq-rows">
          {piece.readings.slice(0, 8).map((one) => (
            <li key={one.id}>
              <span className="eq-rows__words">
                <span className="eq-line">
                  <b className="num">{readingText(one.tenths, meter)}</b>
                  {one.state === 'doubted' ? <Badge tone="wait">does not fit</Badge> : null}
                  {one.state === 'left_out' ? <Badge tone="neutral">left out</Badge> : null}
                </span>
                <span className="hint">
                  {[formatDay(one.on, { year: true }), sourceLabel[one.source], one.by ?? '']
                    .filter(Boolean)
                    .join(' · ')}
                </span>
                {one.newMeter ? (
                  <span className="hint">Another meter from here on; service counts over both.</span>
                ) : null}
                {one.reason ? <span className="hint">“{one.reason}”</span> : null}
              </span>
              {one.state === 'doubted' && piece.can.read ? (
                <span className="eq-rows__do">
                  <Button size="s" onClick={() => setCounting(one.id)}>
                    It is right
                  </Button>
                  <Button
                    size="s"
                    kind="quiet"
                    onClick={() =>
                      void judge
                        .mutateAsync({ readingId: one.id, counts: false })
                        .then(() => toast.success('The reading is left out'), toast.error)
                    }
                  >
                    Leave it out
                  </Button>
                </span>
              ) : null}
            </li>
          ))}
        </ul>
      ) : (
        <p className="hint">Not read yet. Crews type it with their truck check.</p>
      )}
      {piece.can.read ? (
        <div className="people-signin__actions">
          <Button size="s" onClick={() => setReading(true)}>
            Read it
          </Button>
        </div>
      ) : null}
      <ReadingDialog open={reading} piece={piece} onClose={() => setReading(false)} />
      <JudgeDialog
        reading={piece.readings.find(({ id }) => id === counting) ?? null}
        piece={piece}
        onClose={() => setCounting(null)}
      />
    </section>
  )
}

const Facts = ({ piece }: { piece: EquipmentDetail }) => {
  const [assigning, setAssigning] = useState(false)
  const { business } = useUser()
  const today = dayOf(new Date(), business.timeZone)
  const next = piece.crews.filter(({ from }) => from > today).at(-1)
  return (
    <section className="eq-part" aria-label="Crew">
      <KeyValue
        items={[
          { label: 'With', value: piece.crew?.name ?? 'no crew' },
          { label: 'From then on', value: next ? `${next.crew.name} from ${formatDay(next.from)}` : '' },
          { label: 'Serial number', value: piece.serial },
        ]}
      />
      {piece.can.assign ? (
        <div className="people-signin__actions">
          <Button size="s" onClick={() => setAssigning(true)}>
            Give it to a crew
          </Button>
        </div>
      ) : null}
      <AssignDialog open={assigning} piece={piece} onClose={() => setAssigning(false)} />
    </section>
  )
}

const Content = ({ piece }: { piece: EquipmentDetail }) => {
  const defects = useQuery(openDefectsQuery)
  const { timeZone } = useUser().business
  const own = defects.data?.items.filter(({ equipment }) => equipment?.id === piece.id) ?? []
  return (
    <div className="people-stack">
      {piece.out ? (
        <Banner tone="error" title="Out of service">
          {piece.out.reason} · since {formatDay(dayOf(piece.out.since, timeZone))},{' '}
          {formatTime(piece.out.since, timeZone)}
          {piece.crew ? `. ${piece.crew.name} has it and sees this on the phone.` : ''}
        </Banner>
      ) : null}
      {own.length > 0 ? (
        <section className="eq-part" aria-labelledby={`defects-${piece.id}`}>
          <h3 id={`defects-${piece.id}`}>Found by crews</h3>
          <Defects defects={own} named={false} />
        </section>
      ) : null}
      <Facts piece={piece} />
      <Service piece={piece} />
      <Readings piece={piece} />
      <Work piece={piece} />
      {piece.can.update ? <EquipmentForm key={piece.id} piece={piece} onDone={() => undefined} /> : null}
    </div>
  )
}

type Props = {
  id: string
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** One piece of equipment beside the list. */
export const EquipmentPanel = ({ id, onClose, onPrevious, onNext }: Props) => {
  const found = useQuery(onePieceQuery(id))
  const [taking, setTaking] = useState(false)
  const takeOut = usePiece(id, 'takeOut')
  const bringBack = usePiece(id, 'bringBack')
  const archive = usePiece(id, 'archive')
  const restore = usePiece(id, 'restore')
  const piece = found.data
  if (found.error && !piece) return <RecordMissing what="equipment" onClose={onClose} />
  const say = (work: Promise<unknown>, done: string) => void work.then(() => toast.success(done), toast.error)
  const putAway = async (one: EquipmentDetail) => {
    try {
      const gone = await archive.mutateAsync({ version: one.version })
      onClose()
      toast.undo(`${one.name} was put away`, () => restore.mutateAsync({ version: gone.version }).catch(toast.error))
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <RecordPanel
      open
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      title={piece?.name ?? ''}
      sub={piece ? whatText(piece) : undefined}
      badge={
        piece?.out ? (
          <Badge tone="late">Out of service</Badge>
        ) : piece?.archived ? (
          <Badge tone="neutral">Put away</Badge>
        ) : undefined
      }
      actions={
        piece ? (
          <>
            {piece.can.bringBack ? (
              <Button
                size="s"
                loading={bringBack.isPending}
                onClick={() =>
                  say(bringBack.mutateAsync({ version: piece.version }), `${piece.name} is in service again`)
                }
              >
                Back in service
              </Button>
            ) : null}
            {piece.can.takeOut ? (
              <Button size="s" kind="danger" onClick={() => setTaking(true)}>
                Out of service
              </Button>
            ) : null}
            {piece.can.archive ? (
              <Button size="s" loading={archive.isPending} onClick={() => void putAway(piece)}>
                Put away
              </Button>
            ) : null}
            {piece.can.restore ? (
              <Button
                size="s"
                loading={restore.isPending}
                onClick={() =>
                  say(restore.mutateAsync({ version: piece.version }), `${piece.name} is on the list again`)
                }
              >
                Bring back
              </Button>
            ) : null}
          </>
        ) : null
      }
    >
      {piece ? <Content piece={piece} /> : <PanelSkeleton />}
      {piece ? (
        <WhyDialog
          open={taking}
          onClose={() => setTaking(false)}
          title={`Take ${piece.name} out of service?`}
          hint="The crew that has it reads this on the phone and is told not to use it."
          label="Out of service"
          onSay={async (reason) => {
            await takeOut.mutateAsync({ reason: reason.slice(0, 300), version: piece.version })
            toast.success(`${piece.name} is out of service`)
          }}
        />
      ) : null}
    </RecordPanel>
  )
}
