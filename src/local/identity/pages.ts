import { escapeHtml } from '../../shared/html.ts'
import { localPage } from '../page.ts'

/** Where anybody can be anybody: says so, and looks like no provider's real page. */
export const pickPage = (form: { path: string; email: string; name: string; problem: string | null }): string =>
  localPage(
    'Local sign-in',
    `<div class="sheet"><h1>Who do you want to be?</h1>
<p class="note">This stands in for Google on this computer. Nobody is asked and nothing leaves it; with a real provider configured this page does not exist.</p>
${form.problem ? `<p class="problem" role="alert">${escapeHtml(form.problem)}</p>` : ''}
<form method="post" action="${escapeHtml(form.path)}" novalidate>
<label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="off" value="${escapeHtml(form.email)}" autofocus>
<label for="name">Name</label><input id="name" name="name" type="text" autocomplete="off" value="${escapeHtml(form.name)}">
<label class="tick"><input type="checkbox" name="verified" value="yes" checked>The provider has verified this e-mail</label>
<button class="main" name="choice" value="go">Continue</button>
<button class="quiet" name="choice" value="cancel">Cancel</button>
</form></div>`,
  )

export const trouble = (): string =>
  localPage(
    'Local sign-in',
    `<div class="sheet"><h1>This sign-in is over</h1><p class="note">It took too long, or the page was opened twice. Nothing was changed.</p><p><a href="/signin">Back to the sign-in</a></p></div>`,
  )
