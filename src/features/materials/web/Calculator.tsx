import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { dayOf } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { has } from '../../../shared/roles.ts'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { useNarrow } from '../../../ui/useNarrow.ts'
import { useParams } from '../../../ui/useParams.ts'
import { useUser } from '../../accounts/web/session.ts'
import { calculate, type MaterialFacts } from '../calculation/rules.ts'
import { grassOf } from '../formulas/rules.ts'
import { isBulk, kindLabel, packageText } from '../rules.ts'
import { materialsQuery } from './data.ts'
import { KindFields } from './KindFields.tsx'
import { type Ground, Place } from './Place.tsx'
import { InSight, Result } from './Result.tsx'
import { Saves } from './Saves.tsx'
import { TypedMaterial } from './TypedMaterial.tsx'
import {
  about,
  type CalculatedKind,
  calculated,
  choiceOf,
  middleRate,
  typedFacts,
  type Values,
  valuesFor,
} from './values.ts'
import { WaterIn } from './WaterIn.tsx'

const typedId = 'typed'
const usualKind: CalculatedKind = 'fertilizer'
/** What is wrong with a material itself stands at the choice of it: it has no field here. */
const wrongInList = ['nitrogenPercent', 'purityPercent', 'germinationPercent']

/** What of a kind an area takes, live while typing, with how it is computed, and where it can be kept. */
export const Calculator = ({ bar }: { bar: ReactNode }) => {
  const user = useUser()
  const today = dayOf(new Date(), user.business.timeZone)
  const found = useQuery(materialsQuery())
  const { params, change } = useParams()
  const narrow = useNarrow()
  // in the address, so that a look elsewhere or a reload keeps it
  const kind = calculated.find((one) => one === params.get('kind')) ?? usualKind
  const [shown, setShown] = useState<CalculatedKind>(kind)
  const [values, setValues] = useState<Values>(() => valuesFor(kind, null, today))
  const [ground, setGround] = useState<Ground>({ place: null, areaIds: null, typed: null })
  const [squareFeet, setSquareFeet] = useState<number | null>(null)
  // of each kind the material that was chosen last, and what was typed of another one
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const [typed, setTyped] = useState<Readonly<Record<string, MaterialFacts>>>({})
  const [seeded, setSeeded] = useState<string | null>(null)
  const seesMoney = has(user, 'money')
  const own = found.data?.items.filter((one) => one.kind === kind) ?? []
  const materialId = chosen[kind] ?? own[0]?.id ?? typedId
  const listed = own.find(({ id }) => id === materialId) ?? null
  const material: MaterialFacts = listed ?? typed[kind] ?? typedFacts(kind)
  // the state of the property, once there is one
  const state = ground.place?.state || values.state
  const wished = { ...values, state }
  const { choice, errors } = choiceOf(kind, wished, squareFeet)
  const result = choice ? calculate(choice, material, found.data?.settings.lawsOff) : null
  const problem = result?.problem ?? null
  // the law's sentence stands once, at the result
  const byField = { ...errors, ...(problem && problem.rule !== 'law' ? { [problem.path]: problem.message } : {}) }
  const missing = squareFeet === null ? 'Type the area to see it.' : 'Correct what is marked to see it.'
  if (kind !== shown) {
    setShown(kind)
    setSeeded(null)
    setValues((before) => valuesFor(kind, before, today))
    // another kind is about other parts of the property
    if (isBulk(kind) !== isBulk(shown)) setGround((before) => ({ ...before, areaIds: null }))
  } else if (kind === 'seed' && listed && listed.id !== seeded) {
    // a rate is one of a grass: the product that is chosen says which
    setSeeded(listed.id)
    const grass = grassOf(listed.name)
    if (grass && grass !== values.grass)
      setValues((before) => ({ ...before, grass, ratePounds: middleRate(grass, before.seeding) }))
  }
  const choose = (next: string) => change({ kind: next === usualKind ? null : next }, { replace: true })
  return (
    <>
      <PageHeader
        title="Material calculator"
        sub="How much an area takes, what it weighs and costs, and where it goes: a quote, a load list, the purchase list."
      />
      {bar}
      {found.isError && !found.data ? (
        <ErrorState
          error={found.error}
          title="We could not load your materials"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : found.data ? (
        <>
          {narrow ? (
            <div className="mat-pick">
              <SelectField
                label="What to calculate"
                value={kind}
                onChange={choose}
                options={calculated.map((one) => ({ value: one, label: `${kindLabel[one]}, ${about[one]}` }))}
              />
            </div>
          ) : (
            <fieldset className="mat-kinds">
              <legend className="ui-hidden">What to calculate</legend>
              {calculated.map((one) => (
                <button key={one} type="button" aria-pressed={one === kind} onClick={() => choose(one)}>
                  <b>{kindLabel[one]}</b>
                  <span>{about[one]}</span>
                </button>
              ))}
            </fieldset>
          )}
          <div className="mat-columns">
            <div className="mat-stack">
              <Place
                ground={ground}
                beds={kind === 'mulch' || kind === 'gravel'}
                error={squareFeet === null ? undefined : errors.squareFeet}
                onChange={(next, feet) => {
                  setGround(next)
                  setSquareFeet(feet)
                }}
              />
              <Card title="Material">
                <div className="mat-form">
                  <SelectField
                    label="Product"
                    value={listed ? materialId : typedId}
                    error={byField.materialId}
                    onChange={(id) => setChosen((before) => ({ ...before, [kind]: id }))}
                    options={[
                      ...own.map((one) => ({ value: one.id, label: `${one.name}, ${packageText(one)}` })),
                      { value: typedId, label: 'Something else' },
                    ]}
                  />
                  {listed ? null : (
                    <TypedMaterial
                      facts={material}
                      seesMoney={seesMoney}
                      errors={byField}
                      onChange={(facts) => setTyped((before) => ({ ...before, [kind]: facts }))}
                    />
                  )}
                  {listed && problem && wrongInList.includes(problem.path) ? (
                    <p className="mat-wrong" role="alert">
                      {problem.message}
                    </p>
                  ) : null}
                  <KindFields
                    kind={kind}
                    values={wished}
                    material={material}
                    errors={byField}
                    stateIsFixed={ground.place !== null && ground.place.state !== ''}
                    onChange={setValues}
                  />
                  {listed?.kind === 'herbicide' && listed.label?.high === null ? (
                    <p className="hint">
                      <LinkTo href={linkTo.chemicals('products')}>Type what its label allows</LinkTo> at the product.
                    </p>
                  ) : null}
                </div>
              </Card>
            </div>
            <div className="mat-stack mat-aside">
              <Result
                result={result}
                material={material}
                missing={missing}
                settings={found.data.settings}
                state={kind === 'fertilizer' ? state : ''}
              />
              {result && choice && !problem ? (
                <Saves
                  listed={listed}
                  facts={material}
                  choice={choice}
                  result={result}
                  place={ground.place}
                  onMade={(id) => setChosen((before) => ({ ...before, [kind]: id }))}
                />
              ) : null}
              {kind === 'fertilizer' || kind === 'seed' || kind === 'sod' || kind === 'lime' ? (
                <WaterIn squareFeet={squareFeet} isWrong={squareFeet !== null && errors.squareFeet !== undefined} />
              ) : null}
            </div>
            {narrow ? <InSight result={result} material={material} missing={missing} /> : null}
          </div>
        </>
      ) : (
        <CardSkeleton />
      )}
    </>
  )
}
