import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Day } from '../../../../shared/dates.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { IconDownload } from '../../../../ui/icons.ts'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { Money } from '../../../../ui/Money.tsx'
import { CardSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay, useToday } from '../../../accounts/web/session.ts'
import { type TipMove, type TipsReport, tipsApi } from '../contract.ts'
import { periodProblem } from '../rules.ts'
import { downloadTips, tipsQuery } from './data.ts'
import { TipPeople } from './TipPeople.tsx'
import './tips.css'

const Row = ({ tip, onChoose }: { tip: TipMove; onChoose: (tip: TipMove) => void }) => (
  <li>
    <span className="tips__main">
      <b>
        {tip.people.length > 0 ? tip.people.map(({ name }) => name).join(', ') : 'Nobody yet'}{' '}
        {tip.amountCents < 0 ? <Badge tone="neutral">went back</Badge> : null}
      </b>
      <span className="muted">
        {formatDay(tip.onDay)} · {tip.customerName} ·{' '}
        {tip.invoice ? <LinkTo href={linkTo.invoice(tip.invoice.id)}>{tip.invoice.name}</LinkTo> : 'at the door'}
      </span>
    </span>
    <span className="tips__side">
      <Money cents={tip.amountCents} />
      <Button size="s" calls={tipsApi.setPeople} onClick={() => onChoose(tip)}>
        {tip.people.length > 0 ? 'Change' : 'Say whose'}
      </Button>
    </span>
  </li>
)

const Report = ({ report, onChoose }: { report: TipsReport; onChoose: (tip: TipMove) => void }) => {
  const unnamed = report.items.filter(({ people }) => people.length === 0)
  if (report.items.length === 0) return <p className="muted tips__none">No tips came in these days.</p>
  return (
    <>
      <ul className="tips__rows" aria-label="Tips by person">
        {report.people.map(({ userId, name, cents, count }) => (
          <li key={userId}>
            <span className="tips__main">
              <b>{name}</b>
              <span className="muted">{count === 1 ? '1 tip' : `${count} tips`}</span>
            </span>
            <Money cents={cents} />
          </li>
        ))}
        <li className="tips__sum">
          <b className="tips__main">Together</b>
          <Money cents={report.totalCents} />
        </li>
      </ul>
      {unnamed.length > 0 ? (
        <>
          <p className="tips__ask">
            {formatCents(report.unnamedCents)} is nobody’s yet: no visit stands on the invoice, or nobody was on the
            crew that day.
          </p>
          <ul className="tips__rows" aria-label="Tips that are nobody’s yet">
            {unnamed.map((tip) => (
              <Row key={tip.id} tip={tip} onChoose={onChoose} />
            ))}
          </ul>
        </>
      ) : null}
      <details className="tips__all">
        <summary>Each tip</summary>
        <ul className="tips__rows" aria-label="Each tip">
          {report.items
            .filter(({ people }) => people.length > 0)
            .map((tip) => (
              <Row key={tip.id} tip={tip} onChoose={onChoose} />
            ))}
        </ul>
        {report.more ? <p className="hint">The newest 100 are listed; the file has all of them.</p> : null}
      </details>
    </>
  )
}

const Tips = ({ from: first, to: last }: { from: Day; to: Day }) => {
  const today = useToday()
  const [from, setFrom] = useState<Day | null>(first)
  const [to, setTo] = useState<Day | null>(last)
  const [asked, setAsked] = useState<TipMove | null>(null)
  const [saving, setSaving] = useState(false)
  const problem = from && to ? periodProblem(from, to) : 'Choose the first and the last day.'
  const tips = useQuery({ ...tipsQuery(from ?? first, to ?? last), enabled: problem === null })
  // nothing to say where no tips are taken
  if (tips.data && !tips.data.isOn && tips.data.items.length === 0) return null
  const save = async () => {
    setSaving(true)
    await downloadTips({ from: from ?? first, to: to ?? last }).catch(toast.error)
    setSaving(false)
  }
  return (
    <div className="tips">
      <Card
        title="Tips"
        hint="What customers gave the crews, by who worked the visits. Yours to pay out with the wages."
        actions={
          <Button icon={<IconDownload />} loading={saving} disabled={problem !== null} onClick={() => void save()}>
            CSV
          </Button>
        }
      >
        <FieldGrid min={160}>
          <DateField label="From" value={from} onChange={setFrom} today={today} />
          <DateField label="To" value={to} onChange={setTo} today={today} />
        </FieldGrid>
        {problem ? <p role="alert">{problem}</p> : null}
        {tips.isError && !tips.data ? (
          <ErrorState
            error={tips.error}
            title="We could not load the tips"
            onRetry={() => void tips.refetch()}
            retrying={tips.isFetching}
            compact
          />
        ) : null}
        {tips.isPending && problem === null ? <CardSkeleton /> : null}
        {tips.data && problem === null ? <Report report={tips.data} onChoose={setAsked} /> : null}
        <TipPeople tip={asked} onClose={() => setAsked(null)} />
      </Card>
    </div>
  )
}

/** Tips of the days shown, for payroll; for who sees wages. */
export const TipsCard = ({ from, to }: { from: Day; to: Day }) =>
  useMay()(tipsApi.list) ? <Tips key={from} from={from} to={to} /> : null
