import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { linkTo, recordParam } from '#src/shared/links.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorState } from '#src/ui/ErrorState.tsx'
import { IconPlus } from '#src/ui/icons.ts'
import { RecordMissing } from '#src/ui/RecordFailed.tsx'
import { TableSkeleton } from '#src/ui/Skeleton.tsx'
import { toast } from '#src/ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { servicesQuery } from '../../../services/web/data.ts'
import type { PriceAsk } from '../../../services/web/ServiceEditor.tsx'
import { ServicesTab } from '../../../services/web/ServicesTab.tsx'
import { pricesApi } from '../../prices/contract.ts'
import { NewPrice, PriceChanges, PriceVersions } from '../../prices/web/PriceBook.tsx'
import { RaisePrices } from '../../prices/web/RaisePrices.tsx'
import { spanText } from '../../wording/rules.ts'
import { type ProgramRecord, programsApi } from '../contract.ts'
import { archivedProgramsQuery, programsQuery, useArchiveProgram } from './data.ts'
import { ProgramEditor } from './ProgramEditor.tsx'
import '../../web/jobs.css'
import './programs.css'

const rounds = (n: number): string => `${n} ${n === 1 ? 'round' : 'rounds'}`

const Row = ({ program, onOpen }: { program: ProgramRecord; onOpen: () => void }) => (
  <li className="prg-row">
    <button type="button" className="prg-row__open" onClick={onOpen}>
      <b>{program.name}</b>
      <span className="hint">
        {rounds(program.steps.length)}
        {program.steps[0]
          ? `, ${spanText({ from: program.steps[0].from, to: program.steps.at(-1)?.to ?? program.steps[0].to })}`
          : ''}
        {program.jobCount > 0 ? ` · ${program.jobCount} ${program.jobCount === 1 ? 'job' : 'jobs'}` : ''}
      </span>
    </button>
    {program.can.putOn ? (
      <Button size="s" href={linkTo.newProgram({ programId: program.id })}>
        Put on a property
      </Button>
    ) : null}
  </li>
)

/** The programs of rounds that the business offers. */
const Programs = () => {
  const canEdit = useMay()(programsApi.create)
  const programs = useQuery(programsQuery)
  const services = useQuery(servicesQuery)
  const [showArchived, setShowArchived] = useState(false)
  const archived = useQuery({ ...archivedProgramsQuery, enabled: showArchived })
  const archive = useArchiveProgram()
  const [asking, setAsking] = useState<ProgramRecord | null>(null)
  const [query, setQuery] = useSearchParams()
  const openId = query.get(recordParam.program)
  const open = (id: string | null) =>
    setQuery((old) => {
      const next = new URLSearchParams(old)
      if (id) next.set(recordParam.program, id)
      else next.delete(recordParam.program)
      return next
    })
  const items = programs.data
  const current = items?.find((one) => one.id === openId) ?? null
  const put = async (program: ProgramRecord, restore: boolean) => {
    try {
      const { version } = await archive.mutateAsync({ id: program.id, version: program.version, restore })
      open(null)
      if (restore) toast.success(`${program.name} is back`)
      else toast.undo(`${program.name} archived`, () => put({ ...program, version }, true))
    } catch (error) {
      toast.error(error)
    }
  }
  const running = asking ? `${asking.jobCount} ${asking.jobCount === 1 ? 'job runs' : 'jobs run'} with it` : ''
  // What a program is made of comes first: without services there is nothing to plan.
  if (services.data?.length === 0) return null
  return (
    <section className="prg" aria-labelledby="programs-head">
      <div className="prg__head">
        <div>
          <h2 id="programs-head">Programs</h2>
          <p className="muted">Rounds over a season, each due in its own window and never too soon after the last.</p>
        </div>
        {canEdit && items && items.length > 0 ? (
          <Button calls={programsApi.create} icon={<IconPlus />} onClick={() => open('new')}>
            Add a program
          </Button>
        ) : null}
      </div>
      {programs.error && !items ? (
        <ErrorState error={programs.error} onRetry={() => programs.refetch()} retrying={programs.isFetching} />
      ) : !items ? (
        <Card flush>
          <TableSkeleton rows={2} columns={2} />
        </Card>
      ) : items.length === 0 ? (
        <Card>
          <EmptyState
            title="No programs yet"
            action={
              canEdit ? (
                <Button calls={programsApi.create} kind="primary" onClick={() => open('new')}>
                  Make a six-round program
                </Button>
              ) : undefined
            }
          >
            Fertilization and weed control in rounds: put one on a property, and each round stands in the due list when
            its time comes.
          </EmptyState>
        </Card>
      ) : (
        <Card flush>
          <ul className="prg-list">
            {items.map((program) => (
              <Row key={program.id} program={program} onOpen={() => open(program.id)} />
            ))}
          </ul>
        </Card>
      )}
      {items ? (
        <details className="svc-more" onToggle={(event) => setShowArchived(event.currentTarget.open)}>
          <summary>Archived programs</summary>
          {archived.error ? (
            <ErrorState compact error={archived.error} onRetry={() => archived.refetch()} />
          ) : !archived.data ? (
            <TableSkeleton rows={1} columns={2} />
          ) : archived.data.length === 0 ? (
            <p className="muted">None. Jobs of a program that you archive go on to the end of their season.</p>
          ) : (
            <ul className="svc-archived">
              {archived.data.map((program) => (
                <li key={program.id}>
                  <span>{program.name}</span>
                  {program.can.restore ? (
                    <Button size="s" loading={archive.isPending} onClick={() => put(program, true)}>
                      Restore
                    </Button>
                  ) : null}
                </li>
              ))}
            </ul>
          )}
        </details>
      ) : null}
      {openId === 'new' && canEdit && services.data ? (
        <ProgramEditor key="new" program={null} services={services.data} canEdit onClose={() => open(null)} />
      ) : current && services.data ? (
        <ProgramEditor
          key={current.id}
          program={current}
          services={services.data}
          canEdit={current.can.update}
          onClose={() => open(null)}
          onArchive={
            current.can.archive
              ? () => (current.jobCount > 0 ? setAsking(current) : void put(current, false))
              : undefined
          }
          archiving={archive.isPending}
        />
      ) : openId && openId !== 'new' && openId !== archive.variables?.id && items && services.data ? (
        <RecordMissing what="program" onClose={() => open(null)} />
      ) : null}
      <ConfirmDialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={`Archive ${asking?.name ?? ''}?`}
        confirmLabel="Archive the program"
        onConfirm={() => (asking ? put(asking, false) : Promise.resolve())}
      >
        {running}. They finish this season and do not renew until the program is restored.
      </ConfirmDialog>
    </section>
  )
}

/** What the business does: its services, and the programs that are made of them. */
export const ServicesAndPrograms = () => {
  const services = useQuery(servicesQuery)
  const [asked, setAsked] = useState<PriceAsk | null>(null)
  const [raising, setRaising] = useState(false)
  const [changesOpen, setChangesOpen] = useState(false)
  return (
    <>
      <ServicesTab
        askPrice={setAsked}
        actions={
          <>
            <Button href={linkTo.chemicals()}>Chemicals</Button>
            <Button calls={pricesApi.apply} onClick={() => setRaising(true)}>
              Raise prices
            </Button>
          </>
        }
        history={(service) => <PriceVersions service={service} />}
        more={<PriceChanges open={changesOpen} onOpen={setChangesOpen} />}
      />
      <Programs />
      {asked ? (
        <NewPrice
          service={asked.service}
          priceRule={asked.priceRule}
          onClose={() => setAsked(null)}
          onDone={asked.onDone}
        />
      ) : null}
      {services.data ? (
        <RaisePrices
          services={services.data}
          open={raising}
          onClose={() => setRaising(false)}
          onShowChanges={() => {
            setRaising(false)
            setChangesOpen(true)
          }}
        />
      ) : null}
    </>
  )
}
