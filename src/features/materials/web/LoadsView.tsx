import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { overload } from '../calculation/rules.ts'
import { type Load, type LoadGroup, materialsApi, type PlannedMaterial } from '../contract.ts'
import { amountText, packagesText } from '../rules.ts'
import { loadsQuery, materialsQuery, useDeed } from './data.ts'

type Line = Load['materials'][number]

const Used = ({ line, stop, onClose }: { line: Line; stop: PlannedMaterial; onClose: () => void }) => {
  const use = useDeed('usePlan')
  const form = useForm<{ packages: number | null }>({
    defaultValues: { packages: Math.ceil((stop.amount / line.packageSize) * 100) / 100 },
  })
  return (
    <Form
      form={form}
      label="Used"
      onSubmit={async ({ packages }) => {
        await use.mutateAsync({ params: { id: stop.id }, body: { packages: packages ?? 0 } })
        toast.success(`${line.name} was taken from what is on hand`)
        onClose()
      }}
    >
      <p className="muted">
        {packagesText(line.onHand, line.package)} on hand. For {stop.place} {amountText(stop.amount)} {line.unit} were
        calculated.
      </p>
      <FormField control={form.control} name="packages" needed="How many?">
        {(f) => <NumberField label="Used" unit={line.package} min={0} autoFocus {...f} />}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" calls={materialsApi.usePlan} loading={form.formState.isSubmitting}>
          Take it from the stock
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

const Stop = ({ line, stop, group }: { line: Line; stop: PlannedMaterial; group: LoadGroup }) => {
  const may = useMay()
  const remove = useDeed('unplan')
  const [using, setUsing] = useState(false)
  const mayChange = may(materialsApi.usePlan)
  return (
    <li>
      <span className="mat-rows__words">
        <span>
          {stop.jobId && stop.visitId ? (
            <LinkTo href={linkTo.job(stop.jobId, { visitId: stop.visitId })}>{stop.place}</LinkTo>
          ) : (
            stop.place
          )}
        </span>
        <span className="hint num">
          {amountText(stop.amount)} {line.unit}
          {group !== 'ahead' && stop.day ? ` · ${formatDay(stop.day)}` : ''}
          {stop.by ? ` · ${stop.by}` : ''}
        </span>
        {stop.problem ? <span className="mat-wrong">{stop.problem}</span> : null}
      </span>
      {mayChange ? (
        <span className="mat-do">
          {group === 'ahead' || group === 'done' ? (
            <Button
              size="s"
              calls={materialsApi.usePlan}
              aria-label={`Used: ${line.name} for ${stop.place}`}
              onClick={() => setUsing(true)}
            >
              Used
            </Button>
          ) : null}
          <Button
            size="s"
            kind="quiet"
            calls={materialsApi.unplan}
            loading={remove.isPending}
            aria-label={`Take off: ${line.name} for ${stop.place}`}
            onClick={() =>
              void remove
                .mutateAsync({ params: { id: stop.id } })
                .then(() => toast.success(`${line.name} is off the load list`), toast.error)
            }
          >
            Take off
          </Button>
        </span>
      ) : null}
      <Dialog open={using} onClose={() => setUsing(false)} title={`Used: ${line.name}`} size="s">
        {using ? <Used line={line} stop={stop} onClose={() => setUsing(false)} /> : null}
      </Dialog>
    </li>
  )
}

const overWords = {
  done: { title: 'Done: say what was used', hint: 'Their visit is done, or its day is over.' },
  canceled: {
    title: 'Visit canceled or skipped: nobody loads for it',
    hint: 'Take them off, or calculate anew for another visit.',
  },
  gone: {
    title: 'Their visit is gone',
    hint: 'The job was changed and these visits with it. Nobody loads for them: take them off, and calculate anew for the visit that came in their place.',
  },
} as const

const weightText = ({ group, weightPounds, unweighed }: Load): string | undefined =>
  group !== 'ahead'
    ? undefined
    : weightPounds === 0
      ? 'weight not known'
      : `${unweighed.length > 0 ? 'at least ' : ''}${amountText(weightPounds, 0)} lb`

const OneLoad = ({ load, payloadPounds }: { load: Load; payloadPounds: number }) => {
  const isAhead = load.group === 'ahead'
  const tooHeavy = overload(load.weightPounds, payloadPounds)
  const over = load.group === 'ahead' ? null : overWords[load.group]
  const title = over?.title ?? [load.day ? formatDay(load.day) : 'No day yet', load.crew?.name ?? 'no crew'].join(', ')
  return (
    <Card title={title} hint={weightText(load)}>
      {over ? <p className="hint">{over.hint}</p> : null}
      {load.unweighed.length > 0 ? (
        <p className="hint">What {load.unweighed.join(', ')} weighs is not known: type it at the material.</p>
      ) : null}
      {tooHeavy ? <Banner tone="warn">{tooHeavy}</Banner> : null}
      {load.materials.map((line) => (
        <section key={line.materialId} className="mat-load">
          <h3>
            {line.name}{' '}
            <span className="num">
              {packagesText(line.packages, line.package)}
              {line.unit === 'yd' && line.packageSize === 1 ? '' : ` for ${amountText(line.amount)} ${line.unit}`}
            </span>{' '}
            {line.onHand < line.packages && isAhead ? (
              <Badge tone="wait">only {packagesText(line.onHand, line.package)} on hand</Badge>
            ) : null}
          </h3>
          <ul className="mat-rows">
            {line.stops.map((stop) => (
              <Stop key={stop.id} line={line} stop={stop} group={load.group} />
            ))}
          </ul>
        </section>
      ))}
    </Card>
  )
}

/** What was calculated for visits, by day and crew: packages counted once over all stops. */
export const LoadsView = ({ bar }: { bar: ReactNode }) => {
  const found = useQuery(loadsQuery)
  const materials = useQuery(materialsQuery())
  return (
    <>
      <PageHeader
        title="Load lists"
        sub="What the calculator put on visits, for each day and crew. Crews have it on their phone’s load list."
      />
      {bar}
      {found.isError && !found.data ? (
        <ErrorState error={found.error} title="We could not load the lists" onRetry={() => void found.refetch()} />
      ) : found.data ? (
        found.data.items.length === 0 ? (
          <EmptyState
            title="Nothing is on a load list"
            picture="unmowed"
            action={<Button href={linkTo.calculator()}>To the calculator</Button>}
          >
            Calculate a material for a property and put it on one of its visits. The whole list of a crew’s day, with
            mixes and machines, is under Routes, the three dots, Load lists.
          </EmptyState>
        ) : (
          <div className="mat-stack mat-narrow">
            {materials.isError && !materials.data ? (
              <ErrorState
                compact
                error={materials.error}
                title="We could not load the truck’s payload: nothing is warned of"
                onRetry={() => void materials.refetch()}
              />
            ) : null}
            {found.data.more ? (
              <Banner tone="warn">More than these are not shown. Say first what was used.</Banner>
            ) : null}
            {found.data.items.map((load) => (
              <OneLoad
                key={`${load.group} ${load.day} ${load.crew?.id}`}
                load={load}
                payloadPounds={materials.data?.settings.payloadPounds ?? Number.POSITIVE_INFINITY}
              />
            ))}
          </div>
        )
      ) : (
        <CardSkeleton />
      )}
    </>
  )
}
