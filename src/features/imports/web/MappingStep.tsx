import { useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { customFieldsApi } from '../../customers/custom/contract.ts'
import { guessType, longestName, mostChoices } from '../../customers/custom/rules.ts'
import { useCustomFields } from '../../customers/custom/web/data.ts'
import type { ImportRecord } from '../contract.ts'
import {
  type ColumnField,
  customColumn,
  importFieldIds,
  importFields,
  importGroups,
  mappingProblems,
} from '../rules.ts'
import { useCheck } from './data.ts'

const FieldDialog = lazyPart(() => import('../../customers/custom/web/FieldDialog.tsx').then((m) => m.FieldDialog))

/** In place of a field: one that is still to be made. */
const newField = 'new'

const usual = importGroups.flatMap((group) =>
  importFieldIds
    .filter((field) => importFields[field].group === group)
    .map((field) => ({
      value: field,
      label:
        group === 'Job' || group === 'Balance' ? `${group}: ${importFields[field].label}` : importFields[field].label,
    })),
)

/** What each column of the file holds, proposed and changeable, with a look at its contents. */
export const MappingStep = ({ record, onChecked }: { record: ImportRecord; onChecked: () => void }) => {
  const fields = useCustomFields()
  const mayAdd = useMay()(customFieldsApi.create)
  /** The column for which a field is made. */
  const [making, setMaking] = useState<number | null>(null)
  const [mapping, setMapping] = useState<(ColumnField | null)[]>(record.mapping)
  const options: { value: ColumnField | typeof newField; label: string }[] = [
    ...usual,
    ...fields.map((field) => ({
      value: customColumn(field.id),
      label: `${field.record === 'customer' ? 'Customer' : 'Property'}: ${field.name}`,
    })),
    ...(mayAdd ? [{ value: newField, label: 'Make a new field…' } as const] : []),
  ]
  const check = useCheck(record.id)
  const made = making === null ? undefined : record.columns[making]
  const problems = mappingProblems(mapping)
  const used = mapping.filter((field) => field !== null).length
  const failed = check.error instanceof ApiError ? (check.error.errors[0]?.message ?? check.error.message) : null
  const set = (index: number, field: ColumnField | typeof newField | '') =>
    field === newField
      ? setMaking(index)
      : setMapping((old) => old.map((was, at) => (at === index ? field || null : was)))
  return (
    <div className="import-mapping">
      {failed ? <Banner tone="error">{failed}</Banner> : null}
      {record.remembered ? (
        <Banner tone="info">The columns are matched as in your last file that looked like this one.</Banner>
      ) : record.source ? (
        <Banner tone="info">{`This is a file of ${record.source}: its columns are matched for you.`}</Banner>
      ) : null}
      <Card title={`${used} of ${mapping.length} columns matched`} hint="the rest is left out" flush>
        <ul className="import-columns">
          {record.columns.map((column, index) => {
            const field = mapping[index] ?? null
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file
              <li key={index} className={`import-column${field ? '' : ' is-out'}`}>
                <div className="import-column__head">
                  <b>{column.header}</b>
                  <span className="import-column__samples">
                    {column.samples.length ? (
                      column.samples.map((sample) => <span key={sample}>{sample}</span>)
                    ) : (
                      <i>empty</i>
                    )}
                  </span>
                </div>
                <SelectField<ColumnField | typeof newField>
                  label={`What "${column.header}" holds`}
                  hideLabel
                  value={field}
                  placeholder="Leave this column out"
                  options={options}
                  onChange={(next) => set(index, next)}
                />
              </li>
            )
          })}
        </ul>
      </Card>
      <div className="import-bar">
        <div className="import-bar__words">
          {problems.length ? (
            problems.map((problem) => (
              <Badge key={problem.message} tone="wait">
                {problem.message}
              </Badge>
            ))
          ) : (
            <Badge tone="done">What is needed is matched</Badge>
          )}
        </div>
        <Button
          kind="primary"
          loading={check.isPending}
          disabled={problems.length > 0}
          onClick={() => check.mutate(mapping, { onSuccess: onChecked })}
        >
          Check {record.rowCount.toLocaleString('en-US')} {record.rowCount === 1 ? 'row' : 'rows'}
        </Button>
      </div>
      {made ? (
        <FieldDialog
          field={{
            name: made.header.slice(0, longestName),
            type: guessType(made.samples),
            choices: [...new Set(made.samples)].slice(0, mostChoices).map((text) => text.slice(0, longestName)),
          }}
          onClose={() => setMaking(null)}
          onSaved={(field) => making !== null && set(making, customColumn(field.id))}
        />
      ) : null}
    </div>
  )
}
