import { useState } from 'react'
import type { Day } from '../../../shared/dates.ts'
import { paths } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { IconDownload } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { Months } from '../closing/web/Months.tsx'
import { type ExportKind, exportKinds, exportNames } from '../exports/rules.ts'
import { periodProblem, usualPeriods } from '../statements/rules.ts'
import { downloadExport } from './data.ts'

const Files = () => {
  const today = useToday()
  const lastMonth = usualPeriods(today).find(({ id }) => id === 'last')
  const [from, setFrom] = useState<Day | null>(lastMonth?.from ?? today)
  const [to, setTo] = useState<Day | null>(lastMonth?.to ?? today)
  const [loading, setLoading] = useState<ExportKind | null>(null)
  const problem = from && to ? periodProblem(from, to) : 'Choose the first and the last day.'
  const save = async (kind: ExportKind) => {
    if (!from || !to) return
    setLoading(kind)
    await downloadExport(kind, { from, to }).catch(toast.error)
    setLoading(null)
  }
  return (
    <div className="inv-statement__fields">
      <FieldGrid min={200}>
        <DateField label="From" value={from} onChange={setFrom} today={today} max={today} />
        <DateField label="To" value={to} onChange={setTo} today={today} max={today} />
      </FieldGrid>
      {problem ? <p role="alert">{problem}</p> : null}
      <ul className="panel-rows">
        {exportNames.map((kind) => (
          <li key={kind}>
            <span className="panel-rows__main">
              <b>{exportKinds[kind].label}</b>
              <span className="muted">{exportKinds[kind].hint}</span>
            </span>
            <span className="panel-rows__side">
              <Button
                size="s"
                icon={<IconDownload />}
                aria-label={`${exportKinds[kind].label} as ${kind === 'iif' ? 'IIF' : 'CSV'}`}
                loading={loading === kind}
                disabled={problem !== null}
                onClick={() => void save(kind)}
              >
                {kind === 'iif' ? 'IIF' : 'CSV'}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const parts = [
  { value: 'files', label: 'Files' },
  { value: 'months', label: 'Months' },
] as const

const Parts = ({ onLeave }: { onLeave: () => void }) => {
  const [part, setPart] = useState<(typeof parts)[number]['value']>('files')
  return (
    <div className="inv-statement__fields">
      <Tabs label="For the accountant" tabs={parts} value={part} onChange={setPart} />
      {part === 'files' ? <Files /> : <Months onLeave={onLeave} />}
      <p className="hint">
        Your accountant works in QuickBooks Online?{' '}
        <LinkTo href={paths.quickbooks} onClick={onLeave}>
          Keep it up to date by itself
        </LinkTo>
      </p>
    </div>
  )
}

/** What a business hands to its accountant: a file each for a span of days, and months that stay as they were handed over. */
export const ExportDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="For the accountant">
    <Parts key={String(open)} onLeave={onClose} />
  </Dialog>
)
