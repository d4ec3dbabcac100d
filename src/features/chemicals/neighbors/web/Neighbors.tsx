import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Day, dayOf, formatDay } from '../../../../shared/dates.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay, useUser } from '../../../accounts/web/session.ts'
import { type Neighbor, neighborsApi } from '../contract.ts'
import { neighborsQuery, useNeighbors } from './data.ts'
import '../../web/chemicals.css'

type Deeds = ReturnType<typeof useNeighbors>

const NewNeighbor = ({
  propertyId,
  today,
  add,
  onDone,
}: {
  propertyId: string
  today: Day
  add: Deeds['add']
  onDone: () => void
}) => {
  const form = useForm<{ name: string; contact: string; note: string; askedOn: Day | null }>({
    defaultValues: { name: '', contact: '', note: '', askedOn: today },
  })
  return (
    <Form
      form={form}
      label="A neighbor to tell"
      onSubmit={async ({ askedOn, ...values }) => {
        if (!askedOn) return form.setError('askedOn', { message: 'When did they ask?' }, { shouldFocus: true })
        const { name } = await add.mutateAsync({ ...values, askedOn, propertyId })
        toast.success(`${name} is told before each treatment`)
        onDone()
      }}
    >
      <FieldGrid min={170}>
        <FormField control={form.control} name="name">
          {(f) => <TextField label="Name" maxLength={120} {...f} />}
        </FormField>
        <FormField control={form.control} name="contact">
          {(f) => <TextField label="Phone, e-mail or door" maxLength={200} {...f} />}
        </FormField>
        <FormField control={form.control} name="askedOn">
          {(f) => <DateField label="Asked in writing on" today={today} max={today} {...f} />}
        </FormField>
        <FormField control={form.control} name="note">
          {(f) => <TextField label="Note" optional maxLength={300} placeholder="Bees, small children" {...f} />}
        </FormField>
      </FieldGrid>
      <FormActions>
        <Button type="submit" kind="primary" size="s" calls={neighborsApi.add} loading={form.formState.isSubmitting}>
          Add neighbor
        </Button>
        <Button size="s" onClick={onDone}>
          Cancel
        </Button>
      </FormActions>
    </Form>
  )
}

const TellForm = ({ neighbor, tell, onDone }: { neighbor: Neighbor; tell: Deeds['tell']; onDone: () => void }) => {
  const form = useForm({ defaultValues: { how: '' } })
  return (
    <Form
      form={form}
      label={`Tell ${neighbor.name}`}
      onSubmit={async ({ how }) => {
        await tell.mutateAsync({ neighborId: neighbor.id, how })
        toast.success(`${neighbor.name} is told`)
        onDone()
      }}
    >
      <FormField control={form.control} name="how">
        {(f) => (
          <TextField label="How were they told?" maxLength={120} placeholder="Called, left a note at the door" {...f} />
        )}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" size="s" calls={neighborsApi.tell} loading={form.formState.isSubmitting}>
          They are told
        </Button>
        <Button size="s" onClick={onDone}>
          Cancel
        </Button>
      </FormActions>
    </Form>
  )
}

/** Who beside a lawn asked to be told before it is treated, and whether they were told of this day. */
export const Neighbors = ({ visitId, planned }: { visitId: string; planned: boolean }) => {
  const { timeZone } = useUser().business
  const found = useQuery(neighborsQuery(visitId))
  const mayChange = useMay()(neighborsApi.add)
  const { add, keep, tell } = useNeighbors(visitId)
  const [open, setOpen] = useState<string | null>(null)
  if (found.error && !found.data)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!found.data || (!found.data.treats && found.data.items.length === 0)) return null
  const { items, propertyId, tellBy, today } = found.data
  const close = () => setOpen(null)
  const put = (neighbor: Neighbor, removed: boolean): Promise<unknown> =>
    keep
      .mutateAsync({ id: neighbor.id, version: neighbor.version, removed })
      .then((now) =>
        removed
          ? toast.undo(`${now.name} is off the list`, () => put(now, false))
          : toast.success(`${now.name} is back`),
      )
      .catch(toast.error)
  return (
    <section className="chem-visit" aria-labelledby={`neighbors-${visitId}`}>
      <h3 id={`neighbors-${visitId}`}>Neighbors to tell</h3>
      {items.length === 0 ? (
        <p className="hint">Nobody beside this lawn has asked in writing to be told before a treatment.</p>
      ) : (
        <ul className="chem-list chem-list--bare">
          {items.map((one) => (
            <li key={one.id}>
              <div className="chem-neighbor">
                <span>
                  <b>{one.name}</b>
                  <span className="hint">
                    {[one.contact, one.note, `asked ${formatDay(one.askedOn, { year: true })}`]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                  {one.told ? (
                    <span className="hint">
                      {one.told.how}, {formatDay(dayOf(one.told.at, timeZone))}
                      {one.told.by ? `, ${one.told.by}` : ''}
                    </span>
                  ) : null}
                </span>
                {one.told ? (
                  <Badge tone="done">Told</Badge>
                ) : planned && tellBy ? (
                  <Badge tone={today >= tellBy ? 'late' : 'wait'}>Tell by {formatDay(tellBy)}</Badge>
                ) : null}
                {mayChange && open === null ? (
                  <>
                    {!one.told && planned ? (
                      <Button size="s" calls={neighborsApi.tell} onClick={() => setOpen(one.id)}>
                        They are told
                      </Button>
                    ) : null}
                    <Button
                      size="s"
                      kind="quiet"
                      calls={neighborsApi.update}
                      aria-label={`Take ${one.name} off the list`}
                      onClick={() => void put(one, true)}
                    >
                      Remove
                    </Button>
                  </>
                ) : null}
              </div>
              {open === one.id ? <TellForm neighbor={one} tell={tell} onDone={close} /> : null}
            </li>
          ))}
        </ul>
      )}
      {open === 'new' ? (
        <NewNeighbor propertyId={propertyId} today={today} add={add} onDone={close} />
      ) : mayChange && open === null ? (
        <div>
          <Button size="s" calls={neighborsApi.add} onClick={() => setOpen('new')}>
            Add a neighbor
          </Button>
        </div>
      ) : null}
    </section>
  )
}
