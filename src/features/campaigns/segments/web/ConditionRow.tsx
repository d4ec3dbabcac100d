import type { ReactNode } from 'react'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { IconTrash } from '../../../../ui/icons.ts'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { type Condition, conditionNeeds, isWhole, kindLabels } from '../rules.ts'
import { ChoiceList } from './ChoiceList.tsx'

type Choice = { value: string; label: string }
/** What there is to choose from in this business. */
export type Offered = Record<'tags' | 'cities' | 'zips' | 'sources' | 'services', readonly Choice[]>

type Props<C extends Condition = Condition> = { one: C; offered: Offered; onChange: (one: Condition) => void }

const yesNo: Partial<Record<Condition['kind'], [yes: string, no: string]>> = {
  tag: ['has any of', 'has none of'],
  service: ['has any of', 'has none of'],
  job: ['has one', 'has a property without one'],
  balance: ['owes money', 'owes nothing'],
  plan: ['has a running one', 'has none'],
  autopay: ['is on', 'is off'],
}

const Has = ({ one, onChange }: Pick<Props, 'one' | 'onChange'>) => {
  if (!('has' in one)) return null
  const [yes, no] = yesNo[one.kind] ?? ['yes', 'no']
  return (
    <SelectField
      label={`${kindLabels[one.kind]}: whether`}
      hideLabel
      value={one.has ? 'yes' : 'no'}
      options={[
        { value: 'yes', label: yes },
        { value: 'no', label: no },
      ]}
      onChange={(value) => onChange({ ...one, has: value === 'yes' })}
    />
  )
}

const Days = ({ one, onChange }: Pick<Props, 'one' | 'onChange'>) => {
  if (!('days' in one)) return null
  const isVisit = one.kind === 'lastVisit'
  return (
    <>
      <SelectField
        label={`${kindLabels[one.kind]}: when`}
        hideLabel
        value={one.within ? 'yes' : 'no'}
        options={[
          { value: 'no', label: isVisit ? 'is longer ago than' : 'for more than' },
          { value: 'yes', label: isVisit ? 'was within' : 'for at most' },
        ]}
        onChange={(value) => onChange({ ...one, within: value === 'yes' })}
      />
      <NumberField
        label={`${kindLabels[one.kind]}: days`}
        hideLabel
        unit="days"
        min={1}
        max={3650}
        value={one.days}
        refuse={(days) => (Number.isInteger(days) && days >= 1 && days <= 3650 ? null : 'Between 1 and 3,650 days.')}
        onChange={(days) => {
          if (days !== null) onChange({ ...one, days })
        }}
      />
    </>
  )
}

const stages: readonly Choice[] = [
  { value: 'active', label: 'Active customers' },
  { value: 'lead', label: 'Leads' },
  { value: 'past', label: 'Past customers' },
]

const Values = ({ one, offered, onChange }: Props): ReactNode => {
  const list = (
    options: readonly Choice[],
    values: readonly string[],
    placeholder: string,
    set: (values: string[]) => Condition,
  ) => (
    <ChoiceList
      label={`${kindLabels[one.kind]}: which`}
      options={options}
      values={values}
      placeholder={placeholder}
      onChange={(next) => onChange(set(next))}
    />
  )
  switch (one.kind) {
    case 'stage':
      return list(stages, one.stages, 'Choose a stage', (values) => ({ ...one, stages: values as typeof one.stages }))
    case 'tag':
      return list(offered.tags, one.tags, 'Choose a tag', (tags) => ({ ...one, tags }))
    case 'city':
      return list(offered.cities, one.cities, 'Choose a city', (cities) => ({ ...one, cities }))
    case 'zip':
      return list(offered.zips, one.zips, 'Choose a ZIP code', (zips) => ({ ...one, zips }))
    case 'service':
      return list(offered.services, one.serviceIds, 'Choose a service', (serviceIds) => ({ ...one, serviceIds }))
    case 'source':
      return list(offered.sources, one.sources, 'Choose where they came from', (sources) => ({ ...one, sources }))
    case 'language':
      return (
        <SelectField
          label="Language: which"
          hideLabel
          value={one.language}
          options={[
            { value: 'en', label: 'reads English' },
            { value: 'es', label: 'reads Spanish' },
          ]}
          onChange={(language) => {
            if (language) onChange({ ...one, language })
          }}
        />
      )
    case 'type':
      return (
        <SelectField
          label="Home or company: which"
          hideLabel
          value={one.type}
          options={[
            { value: 'residential', label: 'is a home' },
            { value: 'commercial', label: 'is a company' },
          ]}
          onChange={(type) => {
            if (type) onChange({ ...one, type })
          }}
        />
      )
    default:
      return null
  }
}

/** One condition, as a sentence that can be changed. */
export const ConditionRow = (props: Props & { onRemove: () => void }) => (
  <li className="sg-row">
    <b>{kindLabels[props.one.kind]}</b>
    <div className="sg-row__fields">
      <Has {...props} />
      <Days {...props} />
      <Values {...props} />
    </div>
    {isWhole(props.one) ? null : <p className="sg-row__needs">{conditionNeeds(props.one)}</p>}
    <IconButton
      label={`Take out the condition ${kindLabels[props.one.kind]}`}
      icon={<IconTrash />}
      size="s"
      tooltip={false}
      onClick={props.onRemove}
    />
  </li>
)
