import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form'
import type { BodyOf } from '../../../shared/endpoint.ts'
import type { FieldWords } from '../../../ui/TwoAnswers.tsx'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import { useOwner } from '../../owner/web/session.ts'
import { type DeskSettings, deskApi } from '../contract.ts'
import { useSaveSettings } from './data.ts'
import { useNotify } from './notice.ts'

/** One part of the desk's settings. All parts are one record: what another tab changed in other fields stays, about one field it asks. */
export const useSettingsForm = <T extends FieldValues, V extends object>({
  settings,
  valuesOf,
  bodyOf,
  words,
}: {
  settings: DeskSettings
  /** The fields as they are typed. */
  valuesOf: (settings: DeskSettings) => T
  /** The same as they are sent. */
  bodyOf: (values: T) => V
  words: FieldWords<V>
}) => {
  const { ask } = useOwner()
  const change = useSaveSettings()
  const notify = useNotify()
  const form = useForm<T>({ defaultValues: valuesOf(settings) as DefaultValues<T> })
  const { save, dialog, refill } = useVersioned<DeskSettings, V>({
    record: settings,
    read: (now) => bodyOf(valuesOf(now)),
    load: () => ask(deskApi.settings, {}),
    words,
    live: { dirty: form.formState.isDirty, fill: (now) => form.reset(valuesOf(now)) },
  })
  const submit = (values: T) =>
    save(bodyOf(values), async (changes, { version }, also) => {
      refill(await change.mutateAsync({ ...changes, version } as BodyOf<typeof deskApi.saveSettings>))
      notify('done', `Settings saved${also}`)
    })
  return { form, submit, dialog }
}
