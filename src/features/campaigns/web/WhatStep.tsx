import { useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { isWritten, longestSubject, longestText, type Words, wordsProblem } from '../content/rules.ts'
import { type Campaign, campaignsApi } from '../contract.ts'
import type { Variant } from '../rules.ts'
import { BlockEditor } from './BlockEditor.tsx'
import { useCampaigns } from './data.ts'
import { Preview } from './Preview.tsx'
import { TestTo } from './TestTo.tsx'
import type { Draft } from './useDraft.ts'
import type { Problems } from './useProblems.ts'

type Props = {
  campaign: Campaign
  draft: Draft
  problems: Problems
  onChange: (changes: Partial<Draft>) => void
  /** Saves what was typed last. @returns whether all of it is saved */
  onSave: () => Promise<boolean>
}

/** What is wrong, rather than that something is. */
const firstOf = (error: Error): string =>
  (error instanceof ApiError ? error.errors[0]?.message : undefined) ?? error.message

export const profilePath = '/profile?section=business#details'
const variablesHint = '{customer first name}, {customer name}, {business name} and {business phone} are filled in.'

const Fields = ({
  campaign,
  words,
  language,
  isTested,
  problems,
  onChange,
}: {
  campaign: Campaign
  words: Words
  language: 'en' | 'es'
  isTested: boolean
  problems: Problems
  onChange: (words: Words) => void
}) => {
  const [pictures, setPictures] = useState<Record<string, string>>({})
  const at = `content.${language}.`
  // a variable that is not known is said while it is typed, the rest once the field was left
  const field = (name: 'subject' | 'subjectB' | 'preheader' | 'text') => ({
    value: words[name],
    error: wordsProblem(words[name]) ?? problems.of(at + name),
    onBlur: () => problems.leave(at + name),
    onChange: (text: string) => onChange({ ...words, [name]: text }),
  })
  if (campaign.channel === 'sms')
    return (
      <TextAreaField
        label={language === 'es' ? 'Text in Spanish' : 'Text'}
        optional={language === 'es'}
        rows={5}
        maxLength={longestText}
        hint={variablesHint}
        {...field('text')}
      />
    )
  const ofBlocks = problems.of(`${at}blocks`)
  return (
    <>
      <TextField
        label={isTested ? 'Subject A' : 'Subject'}
        maxLength={longestSubject}
        hint={variablesHint}
        {...field('subject')}
      />
      {isTested ? <TextField label="Subject B" maxLength={longestSubject} {...field('subjectB')} /> : null}
      <TextField
        label="Beside the subject"
        optional
        maxLength={150}
        hint="A list of mails shows it in gray."
        {...field('preheader')}
      />
      <BlockEditor
        blocks={words.blocks}
        errorOf={(index, name) => problems.of(`${at}blocks.${index}.${name}`)}
        onLeave={(index, name) => problems.leave(`${at}blocks.${index}.${name}`)}
        pictures={{ ...campaign.pictures, ...pictures }}
        onPicture={(fileId, url) => setPictures((known) => ({ ...known, [fileId]: url }))}
        onChange={(blocks) => {
          // what comes next stands in the place of what was left
          if (blocks.length < words.blocks.length) problems.forget(`${at}blocks.`)
          onChange({ ...words, blocks })
        }}
      />
      {ofBlocks ? <p className="cp-error">{ofBlocks}</p> : null}
    </>
  )
}

/** What it says, in English and Spanish, with how it comes out beside it. */
export const WhatStep = ({ campaign, draft, problems, onChange, onSave }: Props) => {
  const [language, setLanguage] = useState<'en' | 'es'>('en')
  const [variant, setVariant] = useState<Variant>('a')
  const { test } = useCampaigns()
  const { content } = draft
  const isTested = draft.test !== null
  const [choosing, setChoosing] = useState(false)
  /** What leaves is what is saved. @returns whether all of it is */
  const saved = async (): Promise<boolean> => {
    problems.tell()
    const ok = await onSave()
    if (!ok) toast.error('Something in it cannot be saved yet. Nothing was sent.')
    return ok
  }
  const choose = async () => {
    if (await saved()) setChoosing(true)
  }
  const send = async () => {
    if (!(await saved())) return
    test.mutate(
      { id: campaign.id, language, variant },
      {
        onSuccess: ({ to }) => toast.success(`A test is on its way to ${to}`),
        onError: (error) => toast.error(firstOf(error)),
      },
    )
  }
  const address = problems.all.some(({ path }) => path === 'address')
  return (
    <div className="cp-what">
      {address ? (
        <Banner tone="warn" title="Your business has no postal address yet">
          An offer by e-mail has to say where your business is.{' '}
          <LinkTo href={profilePath}>Add it under Profile, Business.</LinkTo>
        </Banner>
      ) : null}
      <Tabs
        label="Language"
        tabs={[
          { value: 'en', label: 'English' },
          { value: 'es', label: isWritten(content.es) ? 'Spanish' : 'Spanish (not written)' },
        ]}
        value={language}
        onChange={setLanguage}
      />
      <div className="cp-what__sides">
        <div className="cp-what__words">
          {language === 'es' && !isWritten(content.es) ? (
            <p className="muted">Customers who read Spanish get the English words until something stands here.</p>
          ) : null}
          <Fields
            key={language}
            campaign={campaign}
            words={content[language]}
            language={language}
            isTested={isTested}
            problems={problems}
            onChange={(words) => onChange({ content: { ...content, [language]: words } })}
          />
        </div>
        <div className="cp-what__look">
          {isTested ? (
            <Tabs
              label="Subject in the preview"
              tabs={[
                { value: 'a', label: 'Subject A' },
                { value: 'b', label: 'Subject B' },
              ]}
              value={variant}
              onChange={setVariant}
            />
          ) : null}
          <Preview channel={campaign.channel} content={content} language={language} variant={variant} />
          <div className="cp-tests">
            <Button calls={campaignsApi.test} loading={test.isPending} onClick={() => void send()}>
              Send me a test
            </Button>
            {campaign.channel === 'email' ? (
              <Button calls={campaignsApi.test} kind="quiet" onClick={() => void choose()}>
                To another address
              </Button>
            ) : null}
          </div>
          {choosing ? (
            <TestTo id={campaign.id} language={language} variant={variant} onClose={() => setChoosing(false)} />
          ) : null}
        </div>
      </div>
    </div>
  )
}
