import { useQuery } from '@tanstack/react-query'
import { recordParam } from '../../../shared/links.ts'
import { Button } from '../../../ui/Button.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import type { ChangeParams } from '../../../ui/useParams.ts'
import { servicesQuery } from '../../services/web/data.ts'
import { statusLabel, visitStatuses } from '../../visits/rules.ts'
import { visitCalendarQuery } from '../../visits/web/data.ts'
import type { Filter } from './view.ts'

const offered = visitStatuses.filter((status) => status !== 'unscheduled' && status !== 'canceled')
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What of the days is shown; it stays in the address. */
export const Filters = ({ filter, onChange }: { filter: Filter; onChange: ChangeParams }) => {
  const { data: calendar } = useQuery(visitCalendarQuery)
  const { data: services } = useQuery(servicesQuery)
  const some = Object.values(filter).some(Boolean)
  return (
    <fieldset className="cal__filters">
      <legend className="ui-hidden">Show only</legend>
      <SelectField
        label="Crew"
        hideLabel
        value={filter.crewId ?? ''}
        placeholder="All crews"
        options={(calendar?.crews ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(crewId) => onChange({ [recordParam.crew]: crewId })}
      />
      <SelectField
        label="State"
        hideLabel
        value={filter.status ?? ''}
        placeholder="Any state"
        options={offered.map((status) => ({ value: status as string, label: capital(statusLabel(status)) }))}
        onChange={(status) => onChange({ status })}
      />
      <SelectField
        label="Service"
        hideLabel
        value={filter.serviceId ?? ''}
        placeholder="All services"
        options={(services ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(serviceId) => onChange({ [recordParam.service]: serviceId })}
      />
      {some ? (
        <Button
          size="s"
          kind="quiet"
          onClick={() => onChange({ [recordParam.crew]: null, status: null, [recordParam.service]: null })}
        >
          Show all
        </Button>
      ) : null}
    </fieldset>
  )
}
