import { h, type PageContent, type PagePart } from '../../../../platform/http/page.ts'
import { formatCents } from '../../../../shared/money.ts'
import { paths } from '../../../../shared/paths.ts'
import { rateLabel } from '../../../invoices/papers/rules.ts'
import { dayIn } from '../../../invoices/words/rules.ts'
import {
  type Choice,
  isAllPaidAhead,
  isChosen,
  lostReasons,
  type QuoteLine,
  type QuoteTotals,
  quoteTotals,
} from '../../rules.ts'
import { agreeWords, hasOptions } from '../../signing/rules.ts'
import type { QuotePage } from './queries.ts'
import { viewerTexts } from './texts.ts'

/** The parts of a quote's page. */

export const totalsFor = ({ content }: QuotePage, choice: Choice): QuoteTotals =>
  quoteTotals(content, choice, content.tax)

const lineWords = (line: QuoteLine, page: QuotePage): PageContent => {
  const t = viewerTexts[page.language]
  const price = formatCents(line.unitPriceCents ?? 0)
  const each = line.quantity === 1 ? null : t.each(line.quantity, price)
  const day = (on: string) => dayIn(page.language, on)
  const rhythm =
    line.frequency === 'once'
      ? line.round
        ? t.window(day(line.round.opensOn), day(line.round.closesOn))
        : each
      : [
          line.rhythm || t.every[line.frequency],
          each ?? t.aVisit(price),
          line.visits > 1 ? t.visits(line.visits) : null,
        ]
          .filter(Boolean)
          .join(' · ')
  return h(
    'span',
    null,
    line.name,
    rhythm ? h('small', null, rhythm) : null,
    line.description ? h('small', { className: 'words' }, line.description) : null,
  )
}

const sumOf = (line: QuoteLine): number => Math.round(line.quantity * (line.unitPriceCents ?? 0)) * line.visits

/** The packages to choose from, each with what it comes to. */
export const packagesPart = (page: QuotePage, choice: Choice, isOpen: boolean): PagePart | null => {
  const { packages, lines } = page.content
  if (packages.length === 0) return null
  const t = viewerTexts[page.language]
  return h(
    'section',
    { key: 'packages' },
    h(
      'fieldset',
      null,
      h('legend', null, isOpen ? t.choose : t.chosen),
      h(
        'div',
        { className: 'packs' },
        packages
          .filter(({ id }) => isOpen || id === choice.packageId)
          .map((one) => {
            const own = quoteTotals(page.content, { packageId: one.id, lineIds: [] }, page.content.tax)
            return h(
              'label',
              { className: 'pack', key: one.id },
              h('input', {
                type: 'radio',
                name: 'package',
                value: one.id,
                defaultChecked: one.id === choice.packageId,
                disabled: !isOpen,
              }),
              h('b', null, one.name),
              one.recommended && isOpen ? h('span', { className: 'tag' }, t.recommended) : null,
              h('span', { className: 'sum' }, formatCents(own.totalCents)),
              one.description ? h('small', null, one.description) : null,
              h(
                'small',
                null,
                lines
                  .filter(({ packageIds, optional }) => packageIds.includes(one.id) && !optional)
                  .map(({ name }) => name)
                  .join(', '),
              ),
            )
          }),
      ),
    ),
  )
}

/** What is in it, and what can be added. */
export const linesPart = (page: QuotePage, choice: Choice, isOpen: boolean): PageContent => {
  const t = viewerTexts[page.language]
  const fixed = page.content.lines.filter((line) => !line.optional && isChosen(line, choice))
  const options = page.content.lines.filter(
    (line) =>
      line.optional &&
      (line.packageIds.length === 0 || (choice.packageId !== null && line.packageIds.includes(choice.packageId))) &&
      (isOpen || choice.lineIds.includes(line.id)),
  )
  return h(
    'div',
    { id: 'lines', key: 'lines' },
    fixed.length > 0
      ? h(
          'section',
          null,
          h('h2', null, t.included),
          h(
            'ul',
            { className: 'rows' },
            fixed.map((line) =>
              h(
                'li',
                { key: line.id },
                lineWords(line, page),
                h('span', { className: 'side' }, formatCents(sumOf(line))),
              ),
            ),
          ),
        )
      : null,
    options.length > 0
      ? h(
          'section',
          null,
          h(
            'fieldset',
            null,
            h('legend', null, isOpen ? t.options : t.added),
            h(
              'ul',
              { className: 'rows' },
              options.map((line) =>
                h(
                  'li',
                  { key: line.id },
                  h(
                    'label',
                    null,
                    isOpen
                      ? h('input', {
                          type: 'checkbox',
                          name: `option-${line.id}`,
                          value: '1',
                          defaultChecked: choice.lineIds.includes(line.id),
                        })
                      : null,
                    lineWords(line, page),
                  ),
                  h('span', { className: 'side' }, `+${formatCents(sumOf(line))}`),
                ),
              ),
            ),
          ),
        )
      : null,
  )
}

/** Pay visit by visit, or all of it ahead for less. */
export const payPart = (page: QuotePage, choice: Choice, isOpen: boolean): PagePart | null => {
  const { content, language } = page
  if (!isOpen || (content.prepayPercent ?? 0) === 0) return null
  const t = viewerTexts[language]
  const ahead = totalsFor(page, { ...choice, prepay: true })
  const own = totalsFor(page, { ...choice, prepay: false })
  const way = (value: '0' | '1', name: string, hint: string) =>
    h(
      'label',
      { className: 'pack', key: value },
      h('input', {
        type: 'radio',
        name: 'prepay',
        value,
        defaultChecked: (value === '1') === (choice.prepay ?? false),
      }),
      h('b', null, name),
      h('small', null, hint),
    )
  return h(
    'section',
    { key: 'ways', id: 'ways' },
    h(
      'fieldset',
      null,
      h('legend', null, t.howToPay),
      h(
        'div',
        { className: 'packs' },
        way('0', t.asYouGo, t.asYouGoHint),
        way('1', t.ahead(formatCents(ahead.totalCents)), t.aheadHint(formatCents(own.totalCents - ahead.totalCents))),
      ),
    ),
  )
}

const sumRow = (label: string, value: string, strong = false): PagePart =>
  h('div', { key: label, ...(strong ? { className: 'strong' } : {}) }, h('dt', null, label), h('dd', null, value))

export const sumsPart = (page: QuotePage, choice: Choice, isOpen: boolean, token: string): PagePart => {
  const t = viewerTexts[page.language]
  const totals = totalsFor(page, choice)
  const comesBack = page.content.lines.some((line) => isChosen(line, choice) && line.visits > 1)
  const mayChoose = isOpen && hasOptions(page.content)
  return h(
    'section',
    { key: 'sums' },
    h(
      'div',
      { id: 'sums', 'aria-live': 'polite' },
      h(
        'dl',
        { className: 'sums' },
        totals.discountCents || totals.densityCents || totals.taxCents
          ? sumRow(t.subtotal, formatCents(totals.subtotalCents))
          : null,
        totals.discountCents ? sumRow(t.discount, formatCents(-totals.discountCents)) : null,
        totals.densityCents ? sumRow(t.near, formatCents(-totals.densityCents)) : null,
        totals.taxes.map((tax) => sumRow(rateLabel(tax), formatCents(tax.taxCents))),
        sumRow(comesBack ? t.seasonTotal : t.total, formatCents(totals.totalCents), true),
        totals.perVisit.map(({ frequency, cents }) =>
          sumRow(t.perVisit(t.every[frequency], totals.taxCents > 0), formatCents(cents)),
        ),
      ),
      totals.depositCents > 0 && isOpen
        ? h(
            'p',
            { key: 'deposit', className: 'quiet' },
            (choice.prepay ? t.dueOnYes : t.deposit)(formatCents(totals.depositCents)),
          )
        : null,
      comesBack
        ? h('p', { key: 'goes', className: 'quiet small' }, isAllPaidAhead(totals, choice) ? t.goesOnPaid : t.goesOn)
        : null,
    ),
    mayChoose
      ? h(
          'button',
          {
            type: 'submit',
            className: 'second noprint',
            id: 'update',
            formAction: `${paths.quote(token)}/choose`,
            formNoValidate: true,
          },
          t.update,
        )
      : null,
  )
}

export const termsPart = (page: QuotePage): PagePart | null =>
  page.content.terms
    ? h(
        'section',
        { key: 'terms' },
        h('h2', null, viewerTexts[page.language].terms),
        h('p', { className: 'words small' }, page.content.terms),
      )
    : null

export const signPart = (page: QuotePage, choice: Choice, typedName: string): PagePart => {
  const t = viewerTexts[page.language]
  const totals = totalsFor(page, choice)
  return h(
    'section',
    { className: 'sign note', key: 'sign', id: 'sign' },
    h('h2', null, page.renewal ? t.renewHead : t.signHead),
    h('input', { type: 'hidden', name: 'expected', id: 'expected', value: totals.totalCents }),
    h('input', { type: 'hidden', name: 'strokes', id: 'strokes', value: '' }),
    h(
      'label',
      { className: 'field' },
      t.name,
      h('input', {
        name: 'signer',
        id: 'signer',
        maxLength: 120,
        autoComplete: 'name',
        required: true,
        defaultValue: typedName,
      }),
    ),
    h(
      'div',
      { className: 'pad', id: 'pad', hidden: true },
      h('p', { className: 'quiet small', id: 'pad-label' }, t.draw),
      h('canvas', { id: 'canvas', role: 'img', 'aria-labelledby': 'pad-label', width: 680, height: 150 }),
      h('button', { type: 'button', className: 'link', id: 'clear' }, t.clear),
    ),
    h(
      'label',
      { className: 'check' },
      h('input', { type: 'checkbox', name: 'agree', value: '1', required: true }),
      h('span', null, agreeWords[page.language](page.business.name, hasOptions(page.content))),
    ),
    h('button', { type: 'submit', id: 'sign-button', 'data-busy': t.signing }, t.sign(formatCents(totals.totalCents))),
  )
}

/** Ask for changes, or say no: folded away until somebody wants it. */
export const answersPart = (page: QuotePage, token: string, wrong: 'ask' | 'no' | null): PagePart => {
  const t = viewerTexts[page.language]
  return h(
    'section',
    { className: 'answers', key: 'answers' },
    h(
      'details',
      { open: wrong === 'ask' },
      h('summary', null, t.askHead),
      h(
        'form',
        { method: 'post', action: `${paths.quote(token)}/changes` },
        h(
          'label',
          { className: 'field' },
          t.askLabel,
          h('textarea', { name: 'words', rows: 4, maxLength: 2000, required: true }),
        ),
        h('button', { type: 'submit', className: 'second' }, t.ask),
      ),
    ),
    h(
      'details',
      { open: wrong === 'no' },
      h('summary', null, t.noHead),
      h(
        'form',
        { method: 'post', action: `${paths.quote(token)}/decline` },
        h(
          'label',
          { className: 'field' },
          t.noLabel,
          h(
            'select',
            { name: 'reason', required: true, defaultValue: '' },
            h('option', { value: '' }, '–'),
            lostReasons
              .filter((reason) => t.reasons[reason] !== '')
              .map((reason) => h('option', { key: reason, value: reason }, t.reasons[reason])),
          ),
        ),
        h('label', { className: 'field' }, t.noMore, h('textarea', { name: 'words', rows: 2, maxLength: 1000 })),
        h('button', { type: 'submit', className: 'second' }, t.no),
      ),
    ),
  )
}
