// Cyrillic, Greek and other letters that look like a Latin one, each followed by its Latin letter.
const pairs =
  'аaеeоoрpсcхxуyіiјjѕsһhԁdԛqԝwкkмmтtнhвbгrпnиuАAВBЕEКKМMНHОOРPСCТTХXУYІIЈJЅSԌGԜWαaβbεeηnιiκkνvοoρpτtυuχxωwγyΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXɴnʀrɪiʟlʙbʜhɢgɑaɡgɩiıiłlŁLøoØOđdĐDħhŧtƒfßsæaœoʋvʏyᴀaᴄcᴅdᴇeᴊjᴋkᴍmᴏoᴘpᴛtᴜuᴠvᴡwᴢz'
const latin = new Map<string, string>()
for (let at = 0; at < pairs.length; at += 2) latin.set(pairs[at] ?? '', pairs[at + 1] ?? '')

/** Letters and digits that English does not have. */
const other = /[^\P{L}A-Za-z]|[^\P{N}0-9]/u

/** Whether a word contains letters or digits of another alphabet. */
export function hasForeignLetters(raw: string): boolean {
  return other.test(raw)
}

/**
 * A word as a person reads it, whatever letters it is made of. Used to find prohibitions: a sentence with
 * such letters never requests anything.
 */
export function asRead(raw: string): string {
  return hasForeignLetters(raw) ? [...raw].map((letter) => latin.get(letter) ?? letter).join('') : raw
}
