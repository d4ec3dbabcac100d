import { useState } from 'react'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { KeyValue } from '../../../ui/KeyValue.tsx'
import { Money } from '../../../ui/Money.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { WhyDialog } from '../../timeclock/sheets/web/WhyDialog.tsx'
import { type Calculation, type MaterialFacts, overload } from '../calculation/rules.ts'
import { type MaterialSettings, materialsApi } from '../contract.ts'
import { lawOf } from '../law/rules.ts'
import { amountText, packagesText, packageText } from '../rules.ts'
import { useDeed } from './data.ts'

type Props = {
  result: Calculation | null
  material: MaterialFacts
  /** What is still to do before there is an answer. What is wrong is said once, at its field. */
  missing: string
  settings: MaterialSettings
  /** Whose law of fertilizer holds; '' for none. */
  state: string
}

/** The limits of a state, switched off with why and on again. */
const Law = ({ state, settings, stopped }: { state: string; settings: MaterialSettings; stopped: boolean }) => {
  const may = useMay()
  const set = useDeed('setLaw')
  const [asking, setAsking] = useState(false)
  const law = lawOf(state)
  const off = settings.lawsOff.find((one) => one.state === state)
  if (!law || !may(materialsApi.setLaw) || (!off && !stopped)) return null
  return (
    <div className="mat-law">
      {off ? (
        <p className="hint">
          Limits of {law.name} switched off{off.by ? ` by ${off.by}` : ''}: {off.reason}
        </p>
      ) : null}
      <Button
        size="s"
        calls={materialsApi.setLaw}
        loading={set.isPending}
        onClick={() =>
          off
            ? void set
                .mutateAsync({ body: { state, reason: null } })
                .then(() => toast.success(`The limits of ${law.name} hold again`), toast.error)
            : setAsking(true)
        }
      >
        {off ? 'Hold to them again' : `Switch off the limits of ${law.name}`}
      </Button>
      <WhyDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Switch off the limits of ${law.name}?`}
        hint="For everybody of the business, until somebody switches them on again. The reason is shown with each calculation."
        label="Switch them off"
        onSay={async (reason) => {
          await set.mutateAsync({ body: { state, reason: reason.slice(0, 300) } })
          toast.success(`The limits of ${law.name} are switched off`)
        }}
      />
    </div>
  )
}

/** What it comes to, what it weighs and costs, and how it is computed. */
export const Result = ({ result, material, missing, settings, state }: Props) => {
  const tooHeavy = result ? overload(result.weightPounds, settings.payloadPounds) : null
  // what may not be put down is no answer: what stands against it is
  const answers = result !== null && result.packages > 0 && result.problem === null
  const stock = result && 'onHand' in material && typeof material.onHand === 'number' ? material.onHand : null
  return (
    <Card title="You need">
      <div className="mat-form">
        <div aria-live="polite">
          {answers ? (
            <p className="mat-big num">
              <b>{packagesText(result.packages, material.package)}</b>
              <span>
                {amountText(result.amount)} {result.unit}
                {material.unit === 'yd' && material.packageSize === 1 ? ' exactly' : `, ${packageText(material)}`}
              </span>
            </p>
          ) : result ? null : (
            <p className="muted">{missing}</p>
          )}
        </div>
        {answers ? (
          <KeyValue
            items={[
              {
                label: 'Weight',
                value:
                  result.weightPounds === null
                    ? 'not known'
                    : `${result.weightIsLeast ? 'at least ' : ''}${amountText(result.weightPounds, 0)} lb`,
              },
              ...(result.costCents === null ? [] : [{ label: 'Cost', value: <Money cents={result.costCents} /> }]),
              ...(stock === null
                ? []
                : [
                    {
                      label: 'On hand',
                      value: (
                        <>
                          {packagesText(stock, material.package)}{' '}
                          {stock < result.packages ? <Badge tone="wait">not enough</Badge> : null}
                        </>
                      ),
                    },
                  ]),
              ...result.facts,
            ]}
          />
        ) : null}
        {result?.problem ? (
          <Banner
            tone="error"
            title={result.problem.rule === 'law' ? 'The law does not allow this' : 'This cannot be kept'}
          >
            {result.problem.message}
          </Banner>
        ) : null}
        {tooHeavy && answers ? (
          <Banner tone="warn" title="Too heavy for one trip">
            {tooHeavy}
          </Banner>
        ) : null}
        {result?.notes.map((words) => (
          <p key={words} className="mat-note">
            {words}
          </p>
        ))}
        {state ? <Law state={state} settings={settings} stopped={result?.problem?.rule === 'law'} /> : null}
        {result && result.steps.length > 0 ? (
          <details className="mat-how" open>
            <summary>How this is computed</summary>
            <ol className="num">
              {result.steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <p className="hint">{result.source}</p>
          </details>
        ) : null}
      </div>
    </Card>
  )
}

/** On a phone: what it comes to, in sight while somebody types above; read aloud is the result itself. */
export const InSight = ({ result, material, missing }: Pick<Props, 'result' | 'material' | 'missing'>) => (
  <p className="mat-sight num" aria-hidden="true">
    {result?.problem ? (
      <span className="mat-wrong">{result.problem.rule === 'law' ? 'Not allowed' : 'Cannot be kept'}</span>
    ) : result && result.packages > 0 ? (
      <>
        <b>{packagesText(result.packages, material.package)}</b>
        <span>
          {amountText(result.amount)} {result.unit}
        </span>
      </>
    ) : (
      <span>{missing}</span>
    )}
  </p>
)
