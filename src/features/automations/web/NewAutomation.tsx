import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { recordParam } from '../../../shared/links.ts'
import { hubPath } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { useDraft } from '../../../ui/drafts.ts'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { toast } from '../../../ui/toast.tsx'
import { automationsApi } from '../contract.ts'
import { type AutomationKind, kinds, usualOf, whenLabel } from '../kinds/rules.ts'
import { AutomationFields } from './AutomationFields.tsx'
import { read, toChange, type Values } from './automationValues.ts'
import { useCreateAutomation } from './data.ts'

/** The form of one kind is one place; the one that was made of it is another. */
const ownPlace = ['kind', recordParam.automation]

type Props = { kind: AutomationKind; onMade: (id: string) => void }

/** One that is set up: nothing is written before somebody saves it. */
export const NewAutomation = ({ kind, onMade }: Props) => {
  const { label, hint, isOffer } = kinds[kind]
  const usual = { kind, ...usualOf(kind) }
  const form = useForm<Values>({ defaultValues: read(usual) })
  const { isDirty, isSubmitting } = form.formState
  const [delay, atMinute, startsOn] = form.watch(['delay', 'atMinute', 'startsOn'])
  const timed = { delay: delay ?? usual.delay, atMinute: atMinute ?? usual.atMinute, startsOn }
  const create = useCreateAutomation()
  const forget = useDraft<Values>(`automation-new-${kind}`, { form, base: () => read(usual) })
  const unsaved = useRef(false)
  useEffect(() => {
    unsaved.current = isDirty
  }, [isDirty])
  const drop = () => {
    unsaved.current = false
    form.reset(read(usual))
    forget()
  }
  const submit = async (values: Values) => {
    const made = await create.mutateAsync({ kind, ...toChange(usual, values) })
    drop()
    toast.success(`${made.name} is set up. It is off until you switch it on`)
    onMade(made.id)
  }
  return (
    <div className="au-screen">
      <PageHeader
        title={`Set up: ${label}`}
        sub={whenLabel({ ...usual, ...timed })}
        back={{ href: hubPath('customers', 'automations'), label: 'Automations' }}
      />
      <Card title="How it is sent">
        <div className="au-part">
          <p className="hint">{hint}</p>
          {isOffer ? <p className="hint">An offer: only to who agreed to offers, with a way to get no more.</p> : null}
          <p className="hint">
            Nothing is kept until you save it. Then you see who would have got it in the last month, and it is off until
            you switch it on.
          </p>
          <Form form={form} onSubmit={submit} label={label}>
            <AutomationFields of={kind} form={form} mayChange />
            <FormActions>
              <Button calls={automationsApi.create} type="submit" kind="primary" loading={isSubmitting}>
                Save automation
              </Button>
              <Button href={hubPath('customers', 'automations')}>Cancel</Button>
            </FormActions>
          </Form>
        </div>
      </Card>
      <LeaveGuard
        within={ownPlace}
        hasUnsaved={() => unsaved.current}
        onDrop={drop}
        why="This automation is not saved yet."
      />
    </div>
  )
}
