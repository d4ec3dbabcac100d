import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { servicesQuery } from '../../services/web/data.ts'
import type { ImportRecord } from '../contract.ts'
import { useSetServices } from './data.ts'

const add = 'add'
/** So many names of services are more than a business has: the column holds something else. */
const tooMany = 25

/** Services that the file names and the business does not have: each is one of ours, or is added knowingly. */
export const NewServices = ({
  record,
  onRemap,
  onOpen,
}: {
  record: ImportRecord
  onRemap: () => void
  /** A choice differs from what the rows were judged by. */
  onOpen: (open: boolean) => void
}) => {
  const ours = useQuery(servicesQuery).data ?? []
  const save = useSetServices(record.id)
  const [chosen, setChosen] = useState<Record<string, string | null>>({})
  const of = (one: ImportRecord['newServices'][number]): string | null =>
    chosen[one.name] === undefined ? one.serviceId : (chosen[one.name] ?? null)
  const isOpen = record.newServices.some((one) => of(one) !== one.serviceId)
  useEffect(() => {
    onOpen(isOpen)
    return () => onOpen(false)
  }, [isOpen, onOpen])
  const added = record.newServices.filter((one) => of(one) === null).length
  const failed = save.error instanceof ApiError ? (save.error.errors[0]?.message ?? save.error.message) : null
  return (
    <Card
      title={
        record.newServices.length === 1
          ? 'One service of this file is not in your list'
          : `${record.newServices.length} services of this file are not in your list`
      }
      hint="say which of yours each is, so that its prices, minutes and checklist hold"
      actions={
        isOpen ? (
          <Button
            size="s"
            loading={save.isPending}
            disabled={!record.can.setServices}
            onClick={() => save.mutate(record.newServices.map((one) => ({ name: one.name, serviceId: of(one) })))}
          >
            Check the rows again
          </Button>
        ) : null
      }
      flush
    >
      {failed ? <Banner tone="error">{failed}</Banner> : null}
      {record.newServices.length > tooMany ? (
        <Banner
          tone="warn"
          title="So many at once is mostly a column that was matched to the wrong field."
          action={
            <Button size="s" onClick={onRemap}>
              Match the columns again
            </Button>
          }
        />
      ) : null}
      <ul className="import-columns">
        {record.newServices.map((one) => (
          <li key={one.name} className="import-column">
            <div className="import-column__head">
              <b>{one.name}</b>
              <span className="hint">
                {one.jobs === 1 ? 'One row asks for it' : `${one.jobs.toLocaleString('en-US')} rows ask for it`}
              </span>
            </div>
            <SelectField
              label={`What "${one.name}" is`}
              hideLabel
              disabled={!record.can.setServices || save.isPending}
              value={of(one) ?? add}
              options={[
                { value: add, label: `Add "${one.name}" as a new service` },
                ...ours.map((service) => ({ value: service.id, label: service.name })),
              ]}
              onChange={(next) => setChosen((old) => ({ ...old, [one.name]: next && next !== add ? next : null }))}
            />
          </li>
        ))}
      </ul>
      <p className="import-services__words muted">
        {isOpen
          ? 'Check the rows again before you import: prices and doubles may change.'
          : added > 0
            ? 'A service that is added takes the price of the first job that asks for it. You can change it in your services.'
            : 'Nothing is added to your services.'}
      </p>
    </Card>
  )
}
