import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay, formatTime, isDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconColumns, IconDownload, IconMail, IconPencil, IconTrash } from '../../../ui/icons.ts'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { Menu, type MenuItem } from '../../../ui/Menu.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { SavedViews } from '../../../ui/SavedViews.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { useMay, useToday, useUser } from '../../accounts/web/session.ts'
import { WorkPanel } from '../../analytics/web/WorkPanel.tsx'
import { type Report, type ReportSettings, reportsApi, type SavedReport } from '../contract.ts'
import {
  filterNames,
  formatLabels,
  groupingOf,
  kindInfo,
  mayHave,
  mostRows,
  pageRows,
  periodOf,
  type ReportFormat,
  type ReportKind,
  reportFormats,
  reportKinds,
  spanFor,
  spanProblem,
  spanText,
  whenText,
} from '../rules.ts'
import { ColumnsDialog } from './ColumnsDialog.tsx'
import { downloadReport, reportQuery, reportsQuery, useChangeReport, useRemoveReport } from './data.ts'
import { Filters } from './Filters.tsx'
import { MailDialog } from './MailDialog.tsx'
import { NameDialog } from './NameDialog.tsx'
import { ReportTable } from './ReportTable.tsx'
import './reports.css'

const settingNames = ['period', 'from', 'to', 'by', ...filterNames, 'columns'] as const

/** A day that somebody typed into the address, where it is one. */
const dayIn = (text: string | null | undefined): string | undefined => (text && isDay(text) ? text : undefined)

/** What the address says of a report; what another report has is left out. */
const settingsOf = (kind: ReportKind, get: (name: string) => string | null | undefined): ReportSettings => {
  const { by, filters } = kindInfo[kind]
  const period = periodOf(kind, get('period'))
  const grouping = groupingOf(kind, get('by'))
  const found: Record<string, string | undefined> = {
    period,
    ...(period === 'custom' ? { from: dayIn(get('from')), to: dayIn(get('to')) } : {}),
    ...(by.length > 0 ? { by: grouping ?? undefined } : {}),
    ...Object.fromEntries(filters.map((name) => [name, get(name) || undefined])),
    columns: get('columns') || undefined,
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as ReportSettings
}

/** The report on the screen: a saved one as it was kept, until something of it is changed; else what the address says. */
const useShown = (saved: readonly SavedReport[]) => {
  const { params, change } = useParams()
  const user = useUser()
  const kinds = reportKinds.filter((one) => mayHave(user, one))
  const kept = saved.find(({ id }) => id === params.get('saved')) ?? null
  const wanted = params.get('report')
  const own = kinds.find((one) => one === wanted)
  const asSaved = kept !== null && wanted === null
  const kind: ReportKind = asSaved ? kept.kind : (own ?? kinds[0] ?? 'skips')
  const settings = asSaved
    ? settingsOf(kind, (name) => kept.settings[name as keyof ReportSettings])
    : settingsOf(kind, (name) => params.get(name))
  /** Writes the whole report into the address, with some of it changed. */
  const set = (values: Record<string, string | null>) => {
    const next = { ...settings, ...values } as Record<string, string | null | undefined>
    change(
      {
        ...Object.fromEntries(settingNames.map((name) => [name, next[name] ?? null])),
        report: values.report ?? kind,
        of: values.of ?? null,
        limit: null,
      },
      { replace: true },
    )
  }
  return { params, change, kinds, kept, asSaved, kind, settings, set }
}

/** When its mails went out last and come next, and what became of the last ones. */
const MailNews = ({ mailing }: { mailing: NonNullable<SavedReport['mailing']> }) => {
  const { timeZone } = useUser().business
  const at = (instant: string) =>
    `${formatDay(dayOf(instant, timeZone), { year: true })} at ${formatTime(instant, timeZone)}`
  const { problem, gone, notReached, waiting, lastSentAt, nextAt } = mailing
  return (
    <>
      {problem ? <Banner tone="warn">{problem}</Banner> : null}
      {gone.length > 0 ? (
        <Banner tone="warn">
          {gone.join(', ')} {gone.length === 1 ? 'gets' : 'get'} it no more. Open “Send by mail” to choose somebody
          else.
        </Banner>
      ) : null}
      {notReached.map(({ address, reason }) => (
        <Banner key={address} tone="warn">
          The last mail did not reach {address}
          {reason ? `: ${reason}` : ''}
        </Banner>
      ))}
      <p className="hint rp-sent">
        {lastSentAt ? `Last sent ${at(lastSentAt)}` : 'Not sent yet'}
        {waiting > 0 ? `, ${waiting === 1 ? 'one mail is' : `${waiting} mails are`} still on the way` : ''}. Next{' '}
        {at(nextAt)}.
      </p>
    </>
  )
}

const sentText = ({ mailing }: SavedReport): string | null =>
  mailing &&
  `${whenText(mailing)}, as ${mailing.formats.map((one) => formatLabels[one]).join(' and ')}, by mail to ${mailing.userIds.length + mailing.emails.length === 1 ? 'one address' : `${mailing.userIds.length + mailing.emails.length} addresses`}.`

type Open = 'columns' | 'save' | 'rename' | 'mail' | 'remove' | null

const Shown = ({ report, narrow }: { report: Report; narrow: (values: Record<string, string>) => void }) =>
  report.count === 0 ? (
    <EmptyState compact picture="search" title="Nothing in these days">
      {kindInfo[report.kind].what} Choose other days, or take a filter out.
    </EmptyState>
  ) : (
    <ReportTable report={report} onNarrow={narrow} />
  )

/** The eight reports with their filters and columns; as files, under a name, and by mail. */
export const ReportsTab = () => {
  const list = useQuery(reportsQuery)
  const saved = list.data?.saved ?? []
  const { params, change, kinds, kept, asSaved, kind, settings, set } = useShown(saved)
  const may = useMay()
  const [open, setOpen] = useState<Open>(null)
  const [making, setMaking] = useState<ReportFormat | null>(null)
  const changing = useChangeReport()
  const removing = useRemoveReport()
  const limit = Math.min(mostRows, Math.max(pageRows, Math.trunc(Number(params.get('limit'))) || pageRows))
  // a saved report is asked for once it is known what it is
  const isKnown = !params.get('saved') || params.get('report') !== null || list.data !== undefined
  // the address names a saved report that is not on the list, and no other one
  const isGone = params.get('saved') !== null && list.data !== undefined && kept === null
  const isLost = isGone && params.get('report') === null
  const today = useToday()
  const problem = spanProblem(kind, spanFor(kind, settings, today), today)
  const found = useQuery({
    ...reportQuery(kind, settings, limit),
    enabled: isKnown && !isLost && kinds.length > 0 && problem === null,
  })
  const report = found.data?.kind === kind ? found.data : undefined
  const of = params.get('of')
  const by = groupingOf(kind, settings.by)
  const download = async (format: ReportFormat) => {
    setMaking(format)
    await downloadReport(kind, settings, format, kept?.kind === kind ? kept.name : undefined).catch(toast.error)
    setMaking(null)
  }
  const menuOf = (one: SavedReport): MenuItem[] => [
    ...(one.can.mail ? [{ label: 'Send by mail', icon: <IconMail size={18} />, onClick: () => setOpen('mail') }] : []),
    ...(one.can.change ? [{ label: 'Rename', icon: <IconPencil size={18} />, onClick: () => setOpen('rename') }] : []),
    ...(one.can.remove
      ? [{ label: 'Delete', icon: <IconTrash size={18} />, danger: true, onClick: () => setOpen('remove') }]
      : []),
  ]
  const openSaved = (id: string) => linkTo.reports({ saved: id })
  const words = kept?.kind === kind ? sentText(kept) : null
  const slice = kind === 'sales' && by && by !== 'day' ? (by as 'service' | 'crew' | 'city' | 'source') : null
  if (kinds.length === 0 || isLost || (list.isError && !isKnown))
    return (
      <>
        <PageHeader title="Reports" />
        <div className="rp-page">
          {kinds.length === 0 ? (
            <EmptyState picture="none" title="No report is for you yet">
              Each report is made of lists that need a permission: the schedule, money or payroll. Ask the owner for
              one.
            </EmptyState>
          ) : isLost ? (
            <EmptyState
              picture="search"
              title="This saved report is not here"
              action={<Button href={linkTo.reports()}>All reports</Button>}
            >
              It was deleted, or it is one that you may not see.
            </EmptyState>
          ) : (
            <ErrorState
              error={list.error}
              title="The saved reports could not be read"
              onRetry={() => void list.refetch()}
              retrying={list.isFetching}
            />
          )}
        </div>
      </>
    )
  return (
    <>
      <PageHeader
        title="Reports"
        sub={report ? `${report.title} · ${spanText(kind, report)}` : undefined}
        actions={
          <>
            <Button icon={<IconColumns />} onClick={() => setOpen('columns')}>
              Columns
            </Button>
            <Menu
              items={reportFormats.map((format) => ({
                label: formatLabels[format],
                icon: <IconDownload size={18} />,
                onClick: () => void download(format),
              }))}
            >
              <Button
                icon={<IconDownload />}
                loading={making !== null}
                disabled={problem !== null}
                calls={reportsApi.file}
              >
                Download
              </Button>
            </Menu>
            {may(reportsApi.save) ? (
              <Button
                kind="primary"
                calls={reportsApi.save}
                disabled={problem !== null}
                onClick={() => setOpen('save')}
              >
                Save report
              </Button>
            ) : null}
          </>
        }
      />
      <div className="rp-page">
        {saved.length > 0 ? (
          <SavedViews
            label="Saved reports"
            views={saved.map(({ id, name }) => ({ id, name, href: openSaved(id) }))}
            currentId={kept?.id ?? null}
            menu={(view) => {
              const one = saved.find(({ id }) => id === view.id)
              return one ? menuOf(one) : []
            }}
          />
        ) : null}
        {words ? <p className="hint rp-sent">{words}</p> : null}
        {kept?.mailing && kept.kind === kind ? <MailNews mailing={kept.mailing} /> : null}
        {isGone ? (
          <Banner
            tone="warn"
            action={
              <Button size="s" href={linkTo.reports()}>
                All reports
              </Button>
            }
          >
            This saved report was deleted, or it is one that you may not see.
          </Banner>
        ) : null}
        {kept && !asSaved && kept.kind === kind ? (
          <p className="rp-changed">
            <span className="muted">Changed from “{kept.name}”.</span>
            {kept.can.change ? (
              <Button
                size="s"
                calls={reportsApi.change}
                loading={changing.isPending}
                onClick={() =>
                  changing.mutate(
                    { params: { id: kept.id }, body: { version: kept.version, settings } },
                    {
                      onSuccess: () => {
                        toast.success(`“${kept.name}” shows this from now on`)
                        change(
                          { ...Object.fromEntries(settingNames.map((name) => [name, null])), report: null },
                          { replace: true },
                        )
                      },
                      onError: toast.error,
                    },
                  )
                }
              >
                Save changes to it
              </Button>
            ) : null}
            <Button size="s" kind="quiet" href={openSaved(kept.id)}>
              Undo the changes
            </Button>
          </p>
        ) : null}
        <Filters kind={kind} kinds={kinds} settings={settings} choices={list.data?.choices ?? null} onChange={set} />
        <p className="hint rp-what">{kindInfo[kind].what}</p>
        {problem ? (
          <Banner tone="warn">{problem.message}</Banner>
        ) : found.isError && !found.isPlaceholderData && !report ? (
          <ErrorState
            error={found.error}
            title="This report could not be made"
            onRetry={() => void found.refetch()}
            retrying={found.isFetching}
          />
        ) : !report ? (
          <CardSkeleton />
        ) : (
          <Card title={report.title} as="section">
            <Shown
              report={report}
              narrow={(values) => (values.of ? change({ of: values.of }) : set({ ...values, columns: null }))}
            />
            {report.notes.map((note) => (
              <p key={note} className="hint">
                {note}
              </p>
            ))}
            {report.count > 0 ? (
              <LoadMore
                hasMore={report.rows.length < Math.min(report.count, mostRows) && limit < mostRows}
                loading={found.isPlaceholderData}
                onMore={() => change({ limit: String(Math.min(mostRows, limit + pageRows)) }, { replace: true })}
                shown={report.rows.length}
                total={report.count}
              />
            ) : null}
          </Card>
        )}
      </div>
      {of !== null && slice && report ? (
        <WorkPanel
          wanted={{
            period: 'month',
            from: report.from,
            to: report.to,
            show: 'completed',
            kind: slice,
            key: of === 'none' ? '' : of,
            ...(settings.crewId ? { crewId: settings.crewId } : {}),
          }}
          sub={spanText(kind, report)}
          onClose={() => change({ of: null }, { replace: true })}
        />
      ) : null}
      {open === 'columns' ? (
        <ColumnsDialog
          kind={kind}
          by={by}
          chosen={settings.columns ?? null}
          onClose={() => setOpen(null)}
          onSave={(columns) => {
            set({ columns })
            setOpen(null)
          }}
        />
      ) : null}
      {open === 'save' || (open === 'rename' && kept) ? (
        <NameDialog
          saved={open === 'rename' ? kept : null}
          kind={kind}
          settings={settings}
          onClose={() => setOpen(null)}
          onSaved={(one) => {
            setOpen(null)
            if (open === 'save')
              change({
                ...Object.fromEntries(settingNames.map((name) => [name, null])),
                report: null,
                saved: one.id,
              })
          }}
        />
      ) : null}
      {open === 'mail' && kept ? (
        <MailDialog saved={kept} recipients={list.data?.choices.recipients ?? []} onClose={() => setOpen(null)} />
      ) : null}
      <ConfirmDialog
        open={open === 'remove' && kept !== null}
        onClose={() => setOpen(null)}
        title={`Delete “${kept?.name ?? ''}”?`}
        confirmLabel="Delete the report"
        danger
        onConfirm={async () => {
          if (!kept) return
          await removing.mutateAsync(kept.id)
          change({ saved: null }, { replace: true })
        }}
      >
        It is gone for everybody in the office{kept?.mailing ? ', and its mails end' : ''}. Nothing that it is made of
        is touched.
      </ConfirmDialog>
    </>
  )
}
