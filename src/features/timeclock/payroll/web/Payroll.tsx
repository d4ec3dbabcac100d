import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addDays, type Day, daysBetween, formatDay, isDay, startOfWeek } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { IconDownload } from '../../../../ui/icons.ts'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { Money } from '../../../../ui/Money.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { Table } from '../../../../ui/Table.tsx'
import type { Column } from '../../../../ui/tableProps.ts'
import { toast } from '../../../../ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { payfilesApi } from '../../payfiles/contract.ts'
import { downloadPayFile, payFilesQuery, usePayFiles } from '../../payfiles/web/data.ts'
import { ChangedWeeks, FileNotes, PayFiles } from '../../payfiles/web/PayFiles.tsx'
import { hoursText, moreHoursText } from '../../sheets/rules.ts'
import { type PayPerson, payrollApi } from '../contract.ts'
import { presetLabel } from '../rules.ts'
import { payrollQuery, payrollSettingsQuery } from './data.ts'
import { PayrollSettingsForm } from './PayrollSettingsForm.tsx'
import { PersonPay } from './PersonPay.tsx'
import './payroll.css'

const number = (id: string, header: string, cell: Column<Row>['cell'], leaves?: number): Column<Row> => ({
  id,
  header,
  align: 'right',
  minWidth: 84,
  cell,
  ...(leaves ? { leaves } : {}),
})
const hoursOf = (seconds: number) => <span className="num">{hoursText(seconds)}</span>

type Row = PayPerson & { written: boolean }

const columns: readonly Column<Row>[] = [
  {
    id: 'name',
    header: 'Person',
    grow: 3,
    minWidth: 190,
    cell: (one) => (
      <span className="pay-name">
        <b>{one.name}</b>
        <span>
          {one.number ? <span className="hint num">{one.number}</span> : null}
          {one.written ? <Badge tone="done">In a file</Badge> : null}
          {one.usualWage ? <Badge tone="wait">Usual wage</Badge> : null}
          {one.belowMinimum ? <Badge tone="late">Under $7.25 an hour</Badge> : null}
        </span>
      </span>
    ),
  },
  number('regular', 'Regular', (one) => hoursOf(one.regularSeconds)),
  number('overtime', 'Overtime', (one) => hoursOf(one.overtimeSeconds)),
  number('double', 'Double', (one) => hoursOf(one.doubleSeconds), 1),
  number('lawns', 'Lawns', (one) => <span className="num">{one.lawns || '–'}</span>, 2),
  number('extra', 'Piece, bonus', (one) => <Money cents={one.pieceCents + one.bonusCents || null} />, 3),
  number('off', 'Time off', (one) => hoursOf(one.offSeconds), 3),
  number('miles', 'Own car', (one) => <Money cents={one.mileageCents || null} />, 4),
  number('gross', 'Gross pay', (one) => <Money cents={one.grossCents} />),
  number('cost', 'With burden', (one) => <Money cents={one.costCents} />, 5),
]

const spans = [1, 2, 3, 4]

type Props = { today: Day; from: string | null; to: string | null; onPeriod: (from: Day, to: Day) => void }

/** Approved weeks as they are paid, what is missing first, and the file for whoever runs the payroll. */
export const Payroll = ({ today, from: askedFrom, to: askedTo, onPeriod }: Props) => {
  const may = useMay()
  const lastWeek = addDays(startOfWeek(today), -7)
  const from = askedFrom && isDay(askedFrom) ? startOfWeek(askedFrom) : addDays(lastWeek, -7)
  const wished = askedTo && isDay(askedTo) ? addDays(startOfWeek(askedTo), 6) : addDays(lastWeek, 6)
  const to = wished > from && daysBetween(from, wished) < 42 ? wished : addDays(from, 6)
  const weeks = (daysBetween(from, to) + 1) / 7
  const found = useQuery(payrollQuery({ from, to }))
  const settings = useQuery(payrollSettingsQuery)
  const [setting, setSetting] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const preset = settings.data?.preset ?? 'plain'
  const files = useQuery({ ...payFilesQuery({ from, to }, preset), enabled: settings.data !== undefined })
  const { make } = usePayFiles()
  const next = files.data?.next
  const rows = found.data?.people.map((one) => ({
    ...one,
    written: next !== undefined && !next.userIds.includes(one.userId),
  }))
  const makeFile = () => {
    setBusy(true)
    make
      .mutateAsync({ from, to, preset })
      .then(downloadPayFile)
      .then(() => toast.success('The file is made and saved'), toast.error)
      .finally(() => setBusy(false))
  }
  const missing = found.data?.notApproved ?? []
  const starts = Array.from({ length: 10 }, (_, back) => addDays(startOfWeek(today), -7 * back))
  return (
    <>
      <PageHeader
        title="Payroll"
        back={{ href: linkTo.timesheets(), label: 'Timesheets' }}
        sub={`${formatDay(from)} to ${formatDay(to)}, approved time only`}
        actions={
          <>
            {may(payrollApi.saveSettings) ? <Button onClick={() => setSetting(true)}>Settings</Button> : null}
            <Button
              kind="primary"
              icon={<IconDownload />}
              loading={busy}
              calls={payfilesApi.make}
              disabled={!next || next.userIds.length === 0}
              onClick={makeFile}
            >
              Make {presetLabel[preset]} file
            </Button>
          </>
        }
      />
      <div className="pay-bar">
        <SelectField
          label="From"
          options={(starts.includes(from) ? starts : [from, ...starts]).map((day) => ({
            value: day,
            label: formatDay(day, { year: true }),
          }))}
          value={from}
          onChange={(day) => onPeriod(day, addDays(day, 7 * weeks - 1))}
        />
        <SelectField
          label="Weeks"
          options={(spans.includes(weeks) ? spans : [...spans, weeks]).map((one) => ({
            value: String(one),
            label: one === 1 ? '1 week' : `${one} weeks`,
          }))}
          value={String(weeks)}
          onChange={(one) => onPeriod(from, addDays(from, 7 * Number(one) - 1))}
        />
      </div>
      {missing.length > 0 ? (
        <div className="pay-warn">
          <Banner tone="warn" title="Not approved, so not in the file">
            <ul className="pay-missing">
              {missing.map((one) => (
                <li key={`${one.userId} ${one.week}`}>
                  <LinkTo href={linkTo.timesheets({ week: one.week, personId: one.userId })}>
                    {one.name}, week of {formatDay(one.week)}
                  </LinkTo>
                </li>
              ))}
            </ul>
          </Banner>
        </div>
      ) : null}
      <div className="pay-warn">
        <ChangedWeeks changed={files.data?.changed ?? []} />
        <FileNotes title={`Before you make the ${presetLabel[preset]} file`} notes={next?.notes ?? []} />
      </div>
      <Card flush>
        <Table<Row>
          label="Payroll"
          columns={columns}
          rows={rows}
          rowId={(one) => one.userId}
          density="roomy"
          onOpen={(one) => setOpenId(one.userId)}
          error={found.error ?? files.error}
          onRetry={() => {
            void found.refetch()
            void files.refetch()
          }}
          empty={
            <EmptyState title="Nothing approved in these weeks" picture="unmowed">
              Approve weeks in the timesheets; what is approved stands here as it is paid.
            </EmptyState>
          }
          mobile={(one) => (
            <span className="pay-card">
              <b>{one.name}</b>
              <Money cents={one.grossCents} />
              <span className="hint num">
                {[`${hoursText(one.regularSeconds)} regular`, moreHoursText(one)].filter(Boolean).join(', ')}
                {one.offSeconds > 0 ? `, ${hoursText(one.offSeconds)} time off` : ''}
              </span>
            </span>
          )}
        />
      </Card>
      <p className="hint pay-foot">
        Overtime adds to the week’s regular rate of everything earned. Taxes and deductions are your payroll’s matter.
        {found.data?.locked.length ? ' Locked weeks keep the pay they were locked with.' : ''}
        {(found.data?.keptLater ?? []).map(
          ({ week, at }) =>
            ` The week of ${formatDay(week)} was locked before pay was kept: it stands as it counted on ${formatDay(at.slice(0, 10))}.`,
        )}
      </p>
      <PayFiles files={files.data?.files ?? []} />
      <Dialog open={setting} onClose={() => setSetting(false)} title="Payroll settings" size="m">
        {setting && settings.data ? (
          <PayrollSettingsForm settings={settings.data} onDone={() => setSetting(false)} />
        ) : null}
      </Dialog>
      <PersonPay
        person={found.data?.people.find((one) => one.userId === openId) ?? null}
        period={{ from, to }}
        today={today}
        onClose={() => setOpenId(null)}
      />
    </>
  )
}
