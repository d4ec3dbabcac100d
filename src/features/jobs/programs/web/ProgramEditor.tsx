import { useFieldArray, useForm, useWatch } from 'react-hook-form'
import { call } from '#src/shared/client.ts'
import { Banner } from '#src/ui/Banner.tsx'
import { Button } from '#src/ui/Button.tsx'
import { FieldGrid } from '#src/ui/FieldGrid.tsx'
import { Form } from '#src/ui/Form.tsx'
import { FormField } from '#src/ui/FormField.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { IconArchive, IconPlus, IconTrash } from '#src/ui/icons.ts'
import { MoneyField } from '#src/ui/MoneyField.tsx'
import { NumberField } from '#src/ui/NumberField.tsx'
import { RecordPanel } from '#src/ui/RecordPanel.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { SwitchField } from '#src/ui/SwitchField.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import type { FieldWords } from '#src/ui/TwoAnswers.tsx'
import { toast } from '#src/ui/toast.tsx'
import { useVersioned } from '#src/ui/useVersioned.tsx'
import type { ServiceRecord } from '../../../services/contract.ts'
import { MonthDay } from '../../web/SeasonField.tsx'
import { spanText } from '../../wording/rules.ts'
import { type ProgramDraft, type ProgramRecord, programsApi } from '../contract.ts'
import { type ProgramStep, renewAheadDays, sixRounds, spacingProblemOf } from '../rules.ts'
import { useAddProgram, useChangeProgram } from './data.ts'

type Props = {
  /** Null makes a new one. */
  program: ProgramRecord | null
  services: readonly ServiceRecord[]
  onClose: () => void
  onArchive?: (() => void) | undefined
  archiving?: boolean
  /** False for who does not see prices: they look at the rest. */
  canEdit: boolean
}

const fieldsOf = ({ name, steps, renews }: ProgramDraft): ProgramDraft => ({ name, steps, renews })

/** A new one begins with six rounds of the first treatment, to be changed. */
const draftOf = (program: ProgramRecord | null, services: readonly ServiceRecord[]): ProgramDraft => {
  if (program) return fieldsOf(program)
  const serviceId = (services.find((one) => one.category === 'treat') ?? services[0])?.id ?? ''
  return { name: 'Six-round lawn program', renews: true, steps: sixRounds.map((step) => ({ ...step, serviceId })) }
}

const wordsOf = (services: readonly ServiceRecord[]): FieldWords<ProgramDraft> => ({
  name: 'Name',
  renews: { label: 'Renews every season', show: (renews) => (renews ? 'Yes' : 'No') },
  steps: {
    label: 'Rounds',
    show: (steps) =>
      steps
        .map(
          ({ name, serviceId, from, to, minGapDays }) =>
            `${name}: ${services.find((one) => one.id === serviceId)?.name ?? 'a service'}, ${spanText({ from, to })}, ${minGapDays} days apart`,
        )
        .join('\n'),
  },
})

/** The next round: a month after the last one, of the same service. */
const nextStep = (steps: readonly ProgramStep[], services: readonly ServiceRecord[]): ProgramStep => {
  const last = steps.at(-1)
  const month = (md: string) => `${String((Number(md.slice(0, 2)) % 12) + 1).padStart(2, '0')}-01`
  const from = month(last?.to ?? '02-15')
  return {
    name: `Round ${steps.length + 1}`,
    serviceId: last?.serviceId ?? services[0]?.id ?? '',
    from,
    to: `${from.slice(0, 3)}28`,
    minGapDays: last ? Math.max(last.minGapDays, 28) : 0,
    priceCents: null,
    minutes: null,
  }
}

/** A program with its rounds: what, when in the year, how long after the round before. */
export const ProgramEditor = ({ program: shown, services, onClose, onArchive, archiving = false, canEdit }: Props) => {
  const versioned = useVersioned({
    record: shown,
    read: fieldsOf,
    load: async () => (await call(programsApi.list, { query: {} })).items.find(({ id }) => id === shown?.id),
    words: wordsOf(services),
  })
  const program = versioned.opened
  const form = useForm<ProgramDraft>({ defaultValues: draftOf(program, services) })
  const { control } = form
  const steps = useFieldArray({ control, name: 'steps' })
  const values = useWatch({ control }) as ProgramDraft
  const add = useAddProgram()
  const change = useChangeProgram(program?.id ?? '')
  const done = (words: string) => {
    toast.success(words)
    onClose()
  }
  const submit = async (draft: ProgramDraft) => {
    if (!program) return done(`${(await add.mutateAsync(draft)).name} added`)
    await versioned.save(fieldsOf(draft), async (changes, over, also) => {
      const saved = await change.mutateAsync({ ...fieldsOf(over), ...changes, version: over.version })
      done(`${saved.name} saved${also}`)
    })
  }
  const offered = services.map(({ id, name }) => ({ value: id, label: name }))
  const problem = spacingProblemOf(values.steps ?? [])
  return (
    <RecordPanel
      open
      onClose={onClose}
      width={620}
      title={program ? program.name : 'New program'}
      sub={
        program && program.jobCount > 0
          ? `On ${program.jobCount} ${program.jobCount === 1 ? 'property' : 'properties'}; they keep the rounds they were made with`
          : 'Rounds over a season, to put on a property'
      }
      footer={
        canEdit ? (
          <>
            {onArchive ? (
              <Button kind="quiet" icon={<IconArchive />} onClick={onArchive} loading={archiving}>
                Archive
              </Button>
            ) : null}
            <Button kind="primary" type="submit" form="program-form" loading={add.isPending || change.isPending}>
              {program ? 'Save program' : 'Add program'}
            </Button>
          </>
        ) : undefined
      }
    >
      <Form form={form} onSubmit={submit} id="program-form" label="Program">
        <fieldset className="svc-bare" disabled={!canEdit}>
          <FormField control={control} name="name" needed="A name is needed">
            {(f) => <TextField label="Name" maxLength={120} {...f} />}
          </FormField>
          <FormField control={control} name="renews">
            {(f) => (
              <SwitchField
                label="Renews every season"
                hint={`What a new job of it begins with; each job can be stopped on its own. Next season is made ${renewAheadDays} days before its first window, with the prices that the book then says for each round.`}
                {...f}
              />
            )}
          </FormField>
          {steps.fields.map((field, at) => (
            <fieldset key={field.id} className="prg-step">
              <legend className="ui-hidden">{values.steps?.[at]?.name ?? `Round ${at + 1}`}</legend>
              <div className="prg-step__head">
                <FormField control={control} name={`steps.${at}.name`} needed="Name the round">
                  {(f) => <TextField label={`Round ${at + 1}`} maxLength={80} {...f} />}
                </FormField>
                {canEdit && steps.fields.length > 1 ? (
                  <IconButton label={`Remove round ${at + 1}`} icon={<IconTrash />} onClick={() => steps.remove(at)} />
                ) : null}
              </div>
              <FormField control={control} name={`steps.${at}.serviceId`} needed="Choose a service">
                {(f) => <SelectField label="Service" placeholder="Choose a service" {...f} options={offered} />}
              </FormField>
              <div className="prg-step__window">
                <span className="ui-field__label">Window, in every year</span>
                <span className="sched__span">
                  <FormField control={control} name={`steps.${at}.from`}>
                    {(f) => <MonthDay label={`Round ${at + 1} opens`} value={f.value} onChange={f.onChange} />}
                  </FormField>
                  <span className="muted">to</span>
                  <FormField control={control} name={`steps.${at}.to`}>
                    {(f) => <MonthDay label={`Round ${at + 1} closes`} value={f.value} onChange={f.onChange} />}
                  </FormField>
                </span>
              </div>
              <FieldGrid min={140}>
                {at > 0 ? (
                  <FormField control={control} name={`steps.${at}.minGapDays`}>
                    {(f) => (
                      <NumberField
                        label="After the last, at least"
                        unit="days"
                        min={0}
                        max={365}
                        {...f}
                        onChange={(days) => f.onChange(Math.round(days ?? 0))}
                      />
                    )}
                  </FormField>
                ) : null}
                {canEdit ? (
                  <FormField control={control} name={`steps.${at}.priceCents`}>
                    {(f) => (
                      <MoneyField
                        label="Price"
                        optional
                        placeholder="By the rule"
                        {...f}
                        onChange={(cents) => f.onChange(cents)}
                      />
                    )}
                  </FormField>
                ) : null}
                <FormField control={control} name={`steps.${at}.minutes`}>
                  {(f) => (
                    <NumberField
                      label="Time"
                      optional
                      placeholder="By the rule"
                      unit="min"
                      min={0}
                      {...f}
                      onChange={(minutes) => f.onChange(minutes === null ? null : Math.round(minutes))}
                    />
                  )}
                </FormField>
              </FieldGrid>
              {problem?.step === at ? <Banner tone="warn">{problem.message}</Banner> : null}
            </fieldset>
          ))}
          {canEdit && steps.fields.length < 12 ? (
            <div>
              <Button
                size="s"
                kind="quiet"
                icon={<IconPlus />}
                onClick={() => steps.append(nextStep(values.steps ?? [], services))}
              >
                Add a round
              </Button>
            </div>
          ) : null}
        </fieldset>
      </Form>
      {versioned.dialog}
    </RecordPanel>
  )
}
