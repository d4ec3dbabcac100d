import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { addDays, type Day, formatDay, isDay, startOfWeek } from '../../../../shared/dates.ts'
import { linkTo, recordParam } from '../../../../shared/links.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { FilterChips } from '../../../../ui/FilterChips.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { IconChevronLeft, IconChevronRight } from '../../../../ui/icons.ts'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { Table } from '../../../../ui/Table.tsx'
import type { Column, Selection } from '../../../../ui/tableProps.ts'
import { noSelection } from '../../../../ui/tableProps.ts'
import { toast } from '../../../../ui/toast.tsx'
import { useMay, useToday, useUser } from '../../../accounts/web/session.ts'
import { payrollApi } from '../../payroll/contract.ts'
import { Payroll } from '../../payroll/web/Payroll.tsx'
import { type Sheet, sheetsApi } from '../contract.ts'
import { approvalDoubts, hoursText } from '../rules.ts'
import { sheetsQuery, useSheets } from './data.ts'
import { stateBadge } from './labels.ts'
import { Marks } from './Marks.tsx'
import { SheetPanel } from './SheetPanel.tsx'
import { WhyDialog } from './WhyDialog.tsx'
import './timesheets.css'

const State = ({ sheet }: { sheet: Sheet }) => {
  const { label, tone } = stateBadge(sheet)
  return sheet.paidSeconds > 0 || sheet.status !== 'open' ? <Badge tone={tone}>{label}</Badge> : null
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const columns: readonly Column<Sheet>[] = [
  {
    id: 'name',
    header: 'Person',
    minWidth: 190,
    grow: 3,
    cell: (sheet) => (
      <span className="sheet-name">
        <b title={sheet.name}>{sheet.name}</b>
        <span>
          <Marks sheet={sheet} most={1} />
        </span>
      </span>
    ),
  },
  ...weekdays.map(
    (header, at): Column<Sheet> => ({
      id: header,
      header,
      align: 'right',
      minWidth: 62,
      leaves: 7 - at,
      cell: (sheet) => {
        const day = sheet.days[at]
        const wrong = sheet.exceptions.some((one) => one.day === day?.day)
        return (
          <span className={`num${wrong ? ' sheet-wrong' : ''}`} title={day?.off ?? undefined}>
            {day?.paidSeconds ? hoursText(day.paidSeconds) : day?.off ? 'Off' : '–'}
          </span>
        )
      },
    }),
  ),
  {
    id: 'total',
    header: 'Hours',
    align: 'right',
    minWidth: 76,
    cell: (sheet) => <b className="num">{hoursText(sheet.paidSeconds)}</b>,
  },
  {
    id: 'overtime',
    header: 'Overtime',
    align: 'right',
    minWidth: 88,
    cell: (sheet) => (
      <span className="num">
        {hoursText(sheet.overtimeSeconds + sheet.doubleSeconds)}
        {sheet.doubleSeconds > 0 ? <span className="hint"> {hoursText(sheet.doubleSeconds)} double</span> : null}
      </span>
    ),
  },
  { id: 'state', header: 'State', minWidth: 136, cell: (sheet) => <State sheet={sheet} /> },
]

const filters = {
  look: (sheet: Sheet) => sheet.request !== '' || (sheet.status !== 'approved' && sheet.exceptions.length > 0),
  submitted: (sheet: Sheet) => sheet.status === 'submitted',
  open: (sheet: Sheet) => sheet.paidSeconds > 0 && (sheet.status === 'open' || sheet.status === 'returned'),
  approved: (sheet: Sheet) => sheet.status === 'approved',
} as const
type Filter = keyof typeof filters
const filterLabel: Record<Filter, string> = {
  look: 'To look at',
  submitted: 'To approve',
  open: 'Not handed in',
  approved: 'Approved',
}
const filterNames = Object.keys(filters) as Filter[]

type Props = {
  /** What stands below the week, from its first to its last day. */
  below?: (from: Day, to: Day) => ReactNode
}

/** A week of everybody's time: what is wrong first, approved one by one or all that are in order. */
export const TimesheetsTab = ({ below }: Props) => {
  const may = useMay()
  const today = useToday()
  const [query, setQuery] = useSearchParams()
  if (may(payrollApi.period) && query.get('view') === 'payroll')
    return (
      <Payroll
        today={today}
        from={query.get('from')}
        to={query.get('to')}
        onPeriod={(from, to) => setQuery({ tab: 'timesheets', view: 'payroll', from, to }, { replace: true })}
      />
    )
  return may(sheetsApi.list) ? (
    <Sheets below={below} />
  ) : (
    <>
      <PageHeader title="Timesheets" />
      <EmptyState title="Hours and wages are not part of your role" picture="none">
        Ask the owner of your business for the permission “Wages” to see and approve timesheets.
      </EmptyState>
    </>
  )
}

const Sheets = ({ below }: Props) => {
  const { business } = useUser()
  const today = useToday()
  const may = useMay()
  const [query, setQuery] = useSearchParams()
  const [selection, setSelection] = useState<Selection>(noSelection)
  const [unlocking, setUnlocking] = useState(false)
  const [asking, setAsking] = useState<Selection | null>(null)
  const asked = query.get('week')
  const week = startOfWeek(asked && isDay(asked) ? asked : today)
  const filter = filterNames.find((name) => name === query.get('show')) ?? null
  const openId = query.get(recordParam.person)
  const found = useQuery(sheetsQuery(week))
  const { approve, lock, unlock } = useSheets()
  const set = (changes: Record<string, string | null>) =>
    setQuery(
      (old) => {
        const next = new URLSearchParams(old)
        for (const [key, value] of Object.entries(changes)) value ? next.set(key, value) : next.delete(key)
        return next
      },
      { replace: true },
    )
  const all = found.data?.items
  const rows = useMemo(() => (filter ? all?.filter(filters[filter]) : all), [all, filter])
  const at = rows?.findIndex((sheet) => sheet.userId === openId) ?? -1
  const neighbor = (step: number) => rows?.[at + step]?.userId
  const go = (to: string) => {
    setSelection(noSelection)
    set({ week: to })
  }
  const chosen = (one: Selection): Sheet[] =>
    (rows ?? []).filter((sheet) => sheet.can.approve && (one.allMatching || one.ids.includes(sheet.userId)))
  const approveAll = (one: Selection) =>
    approve
      .mutateAsync({ week, items: chosen(one).map(({ userId, version }) => ({ userId, version })) })
      .then(({ items }) => {
        setSelection(noSelection)
        setAsking(null)
        toast.success(items.length === 1 ? '1 week approved' : `${items.length} weeks approved`)
      }, toast.error)
  const isOver = addDays(week, 6) < today
  const doubts = asking ? approvalDoubts(chosen(asking), { isOver }) : []
  const approveLabel = (one: Selection) =>
    chosen(one).length === 1 ? 'Approve 1 week' : `Approve ${chosen(one).length} weeks`
  const askOrApprove = (one: Selection) =>
    approvalDoubts(chosen(one), { isOver }).length > 0 ? setAsking(one) : void approveAll(one)
  const lockIt = () => lock.mutateAsync({ week }).then(() => toast.success('The week is locked'), toast.error)
  const total = all?.reduce((sum, sheet) => sum + sheet.paidSeconds, 0) ?? 0
  return (
    <>
      <PageHeader
        title="Timesheets"
        sub={found.data ? `${hoursText(total)} paid hours · overtime ${found.data.rule}` : 'Adding up the week'}
        actions={
          <span className="sheet-week">
            <IconButton label="The week before" icon={<IconChevronLeft />} onClick={() => go(addDays(week, -7))} />
            <Button kind="quiet" onClick={() => go(today)}>
              {formatDay(week)} to {formatDay(addDays(week, 6))}
            </Button>
            <IconButton
              label="The week after"
              icon={<IconChevronRight />}
              onClick={() => go(addDays(week, 7))}
              disabled={addDays(week, 7) > today}
            />
            {may(payrollApi.period) ? (
              <Button
                href={linkTo.payroll(
                  // what was approved here is what one wants to see paid
                  all?.some(({ status }) => status === 'approved')
                    ? { from: addDays(week, -7), to: addDays(week, 6) }
                    : {},
                )}
              >
                Payroll
              </Button>
            ) : null}
            {found.data?.locked ? (
              may(sheetsApi.unlock) ? (
                <Button calls={sheetsApi.unlock} onClick={() => setUnlocking(true)}>
                  Unlock week
                </Button>
              ) : (
                <Badge tone="done">Locked</Badge>
              )
            ) : isOver && total > 0 && may(sheetsApi.lock) ? (
              <Button calls={sheetsApi.lock} loading={lock.isPending} onClick={() => void lockIt()}>
                Lock week
              </Button>
            ) : null}
          </span>
        }
      />
      <div className="sheet-bar">
        <FilterChips
          label="Show"
          single
          chips={filterNames.map((value) => ({
            value,
            label: filterLabel[value],
            count: all?.filter(filters[value]).length ?? 0,
          }))}
          values={filter ? [filter] : []}
          onChange={([value]) => set({ show: value ?? null })}
        />
      </div>
      <Card flush>
        <Table<Sheet>
          label="Timesheets"
          columns={columns}
          rows={rows}
          rowId={(sheet) => sheet.userId}
          density="roomy"
          onOpen={(sheet) => set({ [recordParam.person]: sheet.userId })}
          currentId={openId}
          selection={selection}
          onSelection={may(sheetsApi.approve) ? setSelection : undefined}
          bulkActions={(one) => (
            <Button
              kind="primary"
              size="s"
              calls={sheetsApi.approve}
              loading={approve.isPending}
              disabled={chosen(one).length === 0}
              onClick={() => askOrApprove(one)}
            >
              {approveLabel(one)}
            </Button>
          )}
          error={found.error}
          onRetry={() => void found.refetch()}
          empty={
            filter ? (
              <EmptyState title={`Nothing here: ${filterLabel[filter].toLowerCase()}`} picture="search">
                No week of {formatDay(week)} to {formatDay(addDays(week, 6))} is in this list.
              </EmptyState>
            ) : (
              <EmptyState title="Nobody is on a crew yet" picture="unmowed">
                When crews clock in on their phones, their hours stand here by person and day.
              </EmptyState>
            )
          }
          mobile={(sheet) => (
            <span className="sheet-card">
              <b>{sheet.name}</b>
              <b className="num">{hoursText(sheet.paidSeconds)}</b>
              <span>
                <State sheet={sheet} /> <Marks sheet={sheet} />
              </span>
            </span>
          )}
        />
      </Card>
      {below?.(week, addDays(week, 6))}
      {openId ? (
        <SheetPanel
          key={`${openId} ${week}`}
          userId={openId}
          week={week}
          timeZone={business.timeZone}
          onClose={() => set({ [recordParam.person]: null })}
          onPrevious={at > 0 ? () => set({ [recordParam.person]: neighbor(-1) ?? null }) : undefined}
          onNext={neighbor(1) && at >= 0 ? () => set({ [recordParam.person]: neighbor(1) ?? null }) : undefined}
        />
      ) : null}
      <ConfirmDialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking ? `${approveLabel(asking)}?` : ''}
        confirmLabel={asking ? approveLabel(asking) : ''}
        onConfirm={() => asking && approveAll(asking)}
      >
        {doubts.map((doubt) => (
          <p key={doubt}>{doubt}</p>
        ))}
      </ConfirmDialog>
      <WhyDialog
        open={unlocking}
        onClose={() => setUnlocking(false)}
        title="Unlock the week"
        label="Unlock it"
        hint="Payroll may have paid it already. The reason stays in the record."
        onSay={async (reason) => {
          await unlock.mutateAsync({ week, reason })
          toast.success('The week is unlocked')
        }}
      />
    </>
  )
}
